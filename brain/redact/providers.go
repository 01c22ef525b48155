package redact

// The formats are those that the providers document, or that secret scanners
// such as gitleaks and trufflehog describe. Publishable keys (Stripe pk_, PostHog
// phc_, Square sq0idp-, Twilio AC…) are no secrets and are not listed.

func codeHosts() []token {
	const gitlab = "gitlab token"
	var all []token
	for _, p := range []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"} {
		all = append(all, token{kind: "github token", prefix: p, set: alnum, least: 36})
	}
	for _, p := range []string{
		"glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-", "glcbt-", "glffct-",
		"GR1348941",
	} {
		all = append(all, token{kind: gitlab, prefix: p, set: url64 | dot, least: 20})
	}
	return append(all,
		token{kind: "github token", prefix: "github_pat_", set: wordly, least: 60},
		token{kind: "bitbucket app password", prefix: "ATBB", set: alnum, least: 28},
		token{kind: "atlassian token", prefix: "ATATT3", set: url64 | equals, least: 60},
		token{kind: "atlassian token", prefix: "ATCTT3", set: url64 | equals, least: 60},
		token{kind: "npm token", prefix: "npm_", set: alnum, least: 36, most: 36},
		token{kind: "pypi token", prefix: "pypi-AgE", set: url64, least: 50},
		token{kind: "rubygems key", prefix: "rubygems_", set: hexLower, least: 48, most: 48},
		token{kind: "nuget key", prefix: "oy2", set: lowercase, least: 43, most: 43},
		token{kind: "crates.io token", prefix: "cio", set: alnum, least: 32, most: 32},
		token{kind: "clojars token", prefix: "CLOJARS_", set: lowercase, least: 60, most: 60},
		token{kind: "docker token", prefix: "dckr_pat_", set: url64, least: 20},
		token{kind: "docker token", prefix: "dckr_oat_", set: url64, least: 20},
		token{kind: "artifactory key", prefix: "AKCp", set: alnum, least: 69, most: 69},
		token{kind: "artifactory token", prefix: "cmVmd", set: alnum, least: 59, most: 59},
		token{kind: "sourcegraph token", prefix: "sgp_", set: wordly, least: 40},
		token{kind: "sonar token", prefix: "squ_", set: hexLower, least: 40, most: 40},
		token{kind: "sonar token", prefix: "sqp_", set: hexLower, least: 40, most: 40},
		token{kind: "sonar token", prefix: "sqa_", set: hexLower, least: 40, most: 40},
		token{kind: "buildkite token", prefix: "bkua_", set: hexLower, least: 40, most: 40},
		token{kind: "circleci token", prefix: "CCIPAT_", set: wordly, least: 40},
		token{kind: "octopus deploy key", prefix: "API-", set: capitals, least: 26, most: 26},
		token{kind: "pulumi token", prefix: "pul-", set: hexLower, least: 40, most: 40},
		token{kind: "prefect token", prefix: "pnu_", set: alnum, least: 36, most: 36},
		token{kind: "infracost key", prefix: "ico-", set: alnum, least: 32, most: 32},
	)
}

func clouds() []token {
	var all []token
	for _, p := range []string{"AKIA", "ASIA", "ABIA", "ACCA"} {
		all = append(all, token{kind: "aws access key", prefix: p, body: awsKey})
	}
	for _, p := range []string{"dop_v1_", "doo_v1_", "dor_v1_"} {
		all = append(all, token{kind: "digitalocean token", prefix: p, set: hexLower, least: 64, most: 64})
	}
	for _, p := range []string{"hvs.", "hvb.", "hvr."} {
		all = append(all, token{kind: "vault token", prefix: p, set: url64, least: 24})
	}
	for _, p := range []string{"dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."} {
		all = append(all, token{kind: "doppler token", prefix: p, set: wordly | dot, least: 40})
	}
	for _, p := range []string{"pscale_tkn_", "pscale_pw_", "pscale_oauth_"} {
		all = append(all, token{kind: "planetscale token", prefix: p, set: url64 | equals | dot, least: 32})
	}
	return append(all,
		token{kind: "aws bedrock key", prefix: "ABSK", set: base64set, least: 100},
		token{kind: "google api key", prefix: "AIza", set: url64, least: 35, most: 35},
		token{kind: "google oauth token", prefix: "ya29.", set: url64 | dot, least: 20},
		token{kind: "google client secret", prefix: "GOCSPX-", set: url64, least: 28, most: 28},
		token{kind: "google refresh token", prefix: "1//0", set: url64, least: 30},
		token{kind: "alibaba access key", prefix: "LTAI", set: alnum, least: 12, most: 24},
		token{kind: "tencent secret id", prefix: "AKID", set: alnum, least: 32, most: 32},
		token{kind: "yandex api key", prefix: "AQVN", set: url64, least: 35, most: 38},
		token{kind: "heroku api key", prefix: "HRKU-", set: url64, least: 36},
		token{kind: "fly token", prefix: "fo1_", set: url64, least: 43},
		token{kind: "fly token", prefix: "fm1a_", set: base64set, least: 100},
		token{kind: "fly token", prefix: "fm1r_", set: base64set, least: 100},
		token{kind: "fly token", prefix: "fm2_", set: base64set, least: 100},
		token{kind: "vercel blob token", prefix: "vercel_blob_rw_", set: wordly, least: 40},
		token{kind: "netlify token", prefix: "nfp_", set: alnum, least: 36},
		token{kind: "supabase token", prefix: "sbp_", set: hexLower, least: 40, most: 40},
		token{kind: "supabase secret key", prefix: "sb_secret_", set: url64, least: 20},
		token{kind: "neon api key", prefix: "napi_", set: alnum, least: 40},
		token{kind: "databricks token", prefix: "dapi", set: hexLower, least: 32, most: 32},
		token{kind: "tailscale key", prefix: "tskey-", set: url64, least: 20},
		token{kind: "openshift token", prefix: "sha256~", set: url64, least: 43, most: 43},
		token{kind: "cloudflare origin key", prefix: "v1.0-", set: hexLower | dash, least: 171, most: 171},
		token{kind: "grafana token", prefix: "glsa_", set: wordly, least: 41},
		token{kind: "grafana token", prefix: "glc_", set: base64set, least: 32},
		token{kind: "dynatrace token", prefix: "dt0c01.", set: alnum | dot, least: 80},
		token{kind: "new relic key", prefix: "NRAK-", set: alnum, least: 27, most: 27},
		token{kind: "new relic key", prefix: "NRII-", set: alnum | dash, least: 32, most: 32},
		token{kind: "new relic key", prefix: "NRJS-", set: hexLower, least: 19, most: 19},
		token{kind: "sentry token", prefix: "sntrys_", set: base64set | underscore | dash, least: 40},
		token{kind: "sentry token", prefix: "sntryu_", set: hexLower, least: 64, most: 64},
		token{kind: "posthog key", prefix: "phx_", set: alnum, least: 40},
		token{kind: "contentful token", prefix: "CFPAT-", set: url64, least: 43, most: 43},
		token{kind: "mapbox secret token", prefix: "sk.eyJ", set: url64 | dot, least: 60},
	)
}

func models() []token {
	return []token{
		{kind: "openai api key", prefix: "sk-proj-", set: url64, least: 32},
		{kind: "openai api key", prefix: "sk-svcacct-", set: url64, least: 32},
		{kind: "openai api key", prefix: "sk-admin-", set: url64, least: 32},
		{kind: "openai api key", prefix: "sk-", set: alnum, least: 32},
		{kind: "anthropic api key", prefix: "sk-ant-", set: url64, least: 20},
		{kind: "openrouter api key", prefix: "sk-or-v1-", set: hexLower, least: 64, most: 64},
		{kind: "langsmith key", prefix: "lsv2_", set: wordly, least: 40},
		{kind: "hugging face token", prefix: "hf_", set: alnum, least: 30},
		{kind: "hugging face token", prefix: "api_org_", set: alnum, least: 30},
		{kind: "groq api key", prefix: "gsk_", set: alnum, least: 40},
		{kind: "replicate token", prefix: "r8_", set: alnum, least: 37, most: 37},
		{kind: "xai api key", prefix: "xai-", set: alnum, least: 60},
		{kind: "perplexity api key", prefix: "pplx-", set: alnum, least: 40},
		{kind: "jina api key", prefix: "jina_", set: url64, least: 40},
		{kind: "tavily api key", prefix: "tvly-", set: alnum | dash, least: 28},
		{kind: "firecrawl api key", prefix: "fc-", set: hexLower, least: 32, most: 32},
		{kind: "cerebras api key", prefix: "csk-", set: lowercase, least: 40},
		{kind: "nvidia api key", prefix: "nvapi-", set: url64, least: 40},
		{kind: "langfuse secret key", prefix: "sk-lf-", body: uuid},
		{kind: "together api key", prefix: "tgp_v1_", set: url64, least: 43, most: 43},
		{kind: "fireworks api key", prefix: "fw_", set: alnum, least: 24, most: 24},
		{kind: "pinecone api key", prefix: "pcsk_", set: wordly, least: 40},
		{kind: "voyage api key", prefix: "pa-", set: url64, least: 43, most: 43},
		{kind: "cursor api key", prefix: "crsr_", set: hexLower, least: 64, most: 64},
		{kind: "elevenlabs api key", prefix: "sk_", set: hexLower, least: 48, most: 48},
	}
}

func money() []token {
	var all []token
	for _, p := range []string{"sk_live_", "rk_live_", "sk_test_", "rk_test_", "sk_prod_", "rk_prod_"} {
		all = append(all, token{kind: "stripe key", prefix: p, set: alnum, least: 16})
	}
	for _, p := range []string{"shpat_", "shpca_", "shppa_", "shpss_"} {
		all = append(all, token{kind: "shopify token", prefix: p, set: hexAny, least: 32, most: 32})
	}
	return append(all,
		token{kind: "stripe webhook secret", prefix: "whsec_", set: base64set, least: 24},
		token{kind: "square token", prefix: "sq0atp-", set: url64, least: 22},
		token{kind: "square secret", prefix: "sq0csp-", set: url64, least: 40},
		token{kind: "square token", prefix: "EAAA", set: url64, least: 60, most: 60},
		token{kind: "facebook token", prefix: "EAA", set: alnum, least: 90},
		token{kind: "shippo token", prefix: "shippo_live_", set: hexAny, least: 40, most: 40},
		token{kind: "shippo token", prefix: "shippo_test_", set: hexAny, least: 40, most: 40},
		token{kind: "easypost key", prefix: "EZAK", set: alnum, least: 54, most: 54},
		token{kind: "easypost key", prefix: "EZTK", set: alnum, least: 54, most: 54},
		token{kind: "duffel token", prefix: "duffel_live_", set: url64 | equals, least: 43},
		token{kind: "duffel token", prefix: "duffel_test_", set: url64 | equals, least: 43},
		token{kind: "flutterwave key", prefix: "FLWSECK-", set: alnum | dash, least: 32},
		token{kind: "flutterwave key", prefix: "FLWSECK_TEST-", set: alnum | dash, least: 32},
		token{kind: "plaid token", prefix: "access-production-", body: uuid},
		token{kind: "plaid token", prefix: "access-sandbox-", body: uuid},
		token{kind: "plaid token", prefix: "access-development-", body: uuid},
		token{kind: "amazon mws token", prefix: "amzn.mws.", body: uuid},
		token{kind: "braintree token", prefix: "access_token$production$", body: braintree},
	)
}

func messages() []token {
	var all []token
	for _, p := range []string{
		"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxe-", "xoxe.xoxb-", "xoxe.xoxp-", "xapp-",
	} {
		all = append(all, token{kind: "slack token", prefix: p, set: alnum | dash, least: 20})
	}
	for _, p := range []string{"services/", "workflows/", "triggers/"} {
		all = append(all, token{
			kind: "slack webhook", prefix: "hooks.slack.com/" + p, set: alnum | plusSlash, least: 40,
		})
	}
	for _, host := range []string{"discord.com", "discordapp.com"} {
		all = append(all, token{
			kind: "discord webhook", prefix: host + "/api/webhooks/", set: url64 | plusSlash, least: 60,
		})
	}
	// What the first part of a Discord bot token, digits in base64, can begin with.
	for _, p := range []string{"MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"} {
		all = append(all, token{kind: "discord bot token", prefix: p, body: discord})
	}
	return append(all,
		token{kind: "slack cookie", prefix: "xoxd-", set: url64 | plusSlash | equals | percent, least: 20},
		token{kind: "twilio api key", prefix: "SK", set: hexLower, least: 32, most: 32},
		token{kind: "sendgrid api key", prefix: "SG.", set: url64 | dot, least: 60},
		token{kind: "brevo api key", prefix: "xkeysib-", set: alnum | dash, least: 81, most: 81},
		token{kind: "mailgun key", prefix: "key-", set: hexLower, least: 32, most: 32},
		token{kind: "resend api key", prefix: "re_", body: resend},
		token{kind: "teams webhook", prefix: "webhook.office.com/webhookb2/", set: url64 | plusSlash, least: 36},
	)
}

func services() []token {
	return []token{
		{kind: "linear api key", prefix: "lin_api_", set: alnum, least: 40, most: 40},
		{kind: "linear token", prefix: "lin_oauth_", set: hexLower, least: 64, most: 64},
		{kind: "notion token", prefix: "ntn_", set: alnum, least: 40},
		{kind: "notion token", prefix: "secret_", set: alnum, least: 43, most: 43},
		{kind: "figma token", prefix: "figd_", set: url64, least: 40},
		{kind: "postman api key", prefix: "PMAK-", set: hexAny | dash, least: 59, most: 59},
		{kind: "airtable token", prefix: "pat", body: airtable},
		{kind: "typeform token", prefix: "tfp_", set: url64 | dot | equals, least: 40},
		{kind: "readme api key", prefix: "rdme_", set: lowercase, least: 70, most: 70},
		{kind: "frame.io token", prefix: "fio-u-", set: url64 | equals, least: 64},
		{kind: "adobe client secret", prefix: "p8e-", set: alnum, least: 32, most: 32},
		{kind: "wakatime key", prefix: "waka_", body: uuid},
		{kind: "launchdarkly key", prefix: "sdk-", body: uuid},
		{kind: "dropbox token", prefix: "sl.", set: url64 | equals | dot, least: 120},
		{kind: "1password token", prefix: "ops_eyJ", set: base64set | underscore | dash, least: 200},
		{kind: "1password secret key", prefix: "A3-", set: capitals | dash, least: 31, most: 37},
		{kind: "grafana api key", prefix: "eyJrIjoi", set: base64set, least: 60},
		{kind: "age secret key", prefix: "AGE-SECRET-KEY-1", set: capitals, least: 58},
		{kind: "age secret key", prefix: "AGE-SECRET-KEY-PQ-1", set: capitals, least: 58},
	}
}

// shaped lists what is told by more than an alphabet and a length.
func shaped() []token {
	return []token{
		{kind: "json web token", prefix: "eyJ", set: url64, body: jwt},
		{kind: "bearer token", prefix: "Bearer ", body: bearer},
		{kind: "bearer token", prefix: "bearer ", body: bearer},
	}
}

// spoken lists what stands before a password in prose, in English and German,
// and in SQL.
func spoken() (tokens []token) {
	add := func(prefix string, body func(string) int) {
		tokens = append(tokens, token{kind: "password", prefix: prefix, body: body})
	}
	for _, before := range []string{
		"password is ", "Password is ", "passwort ist ", "Passwort ist ", "passwort lautet ", "Passwort lautet ", "passwort heißt ",
		"Passwort heißt ", "kennwort ist ", "Kennwort ist ", "kennwort lautet ", "Kennwort lautet ", "password is: ", "Password is: ",
		"passwort lautet: ", "Passwort lautet: ",
	} {
		add(before, told)
		for _, quote := range []byte("'\"`") {
			add(before+string(quote), quoted(quote))
		}
	}
	for _, before := range []string{"password '", "PASSWORD '", "passwort '", "Passwort '", "identified by '", "IDENTIFIED BY '"} {
		add(before, quoted('\''))
	}
	return tokens
}

package redact_test

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

const (
	hexDigits = "0123456789abcdef"
	letters   = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alnums    = letters + "0123456789"
	url64s    = alnums + "-_"
	base64s   = alnums + "+/"
	capitals  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// maker makes keys from the rules of their formats, so that this file contains
// none.
type maker struct{ r *rand.Rand }

// of returns n characters of an alphabet, the first and last of them letters or
// digits, with a digit among them.
func (m maker) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.r.IntN(len(alphabet))]
	}
	b[0], b[n-1], b[n/2] = 'a', 'b', '7'
	if !strings.Contains(alphabet, "a") {
		b[0], b[n-1], b[n/2] = 'A', 'B', '7'
	}
	return string(b)
}

func (m maker) uuid() string {
	return strings.Join([]string{
		m.of(hexDigits, 8), m.of(hexDigits, 4), m.of(hexDigits, 4), m.of(hexDigits, 4), m.of(hexDigits, 12),
	}, "-")
}

func (m maker) pem(kind string) string {
	line := m.of(base64s, 64) + "\n"
	return "-----BEGIN " + kind + "-----\n" + strings.Repeat(line, 6) + "-----END " + kind + "-----"
}

func (m maker) jwt() string {
	return "ey" + "J" + m.of(alnums, 33) + ".ey" + "J" + m.of(url64s, 80) + "." + m.of(url64s, 43)
}

// key is a text with one secret, and the secret.
type key struct{ kind, text, secret string }

// formats returns one key of each format: the whole of it is the secret.
func (m maker) formats() []key {
	whole := func(kind, text string) key { return key{kind, text, text} }
	return []key{
		whole("aws access key", "AK"+"IA"+m.of(capitals, 16)),
		whole("aws access key", "AS"+"IA"+m.of(capitals, 16)),
		whole("google api key", "AI"+"za"+m.of(url64s, 35)),
		whole("google oauth token", "ya"+"29."+m.of(url64s, 120)),
		whole("google client secret", "GOC"+"SPX-"+m.of(url64s, 28)),
		whole("azure client secret", m.of(alnums, 3)+"8Q"+"~"+m.of(alnums, 34)),
		whole("digitalocean token", "dop"+"_v1_"+m.of(hexDigits, 64)),
		whole("heroku api key", "HRK"+"U-AA"+m.of(url64s, 58)),
		whole("databricks token", "da"+"pi"+m.of(hexDigits, 32)),
		whole("vault token", "hv"+"s."+m.of(url64s, 95)),
		whole("terraform token", m.of(alnums, 14)+".atlas"+"v1."+m.of(url64s, 64)),
		whole("doppler token", "dp"+".pt."+m.of(alnums, 43)),
		whole("planetscale token", "pscale"+"_tkn_"+m.of(url64s, 43)),
		whole("tailscale key", "tskey"+"-auth-"+m.of(alnums, 17)+"-"+m.of(alnums, 32)),
		whole("fly token", "fo"+"1_"+m.of(url64s, 43)),
		whole("supabase token", "sb"+"p_"+m.of(hexDigits, 40)),
		whole("alibaba access key", "LT"+"AI"+m.of(alnums, 20)),
		whole("grafana token", "gl"+"sa_"+m.of(alnums, 32)+"_"+m.of(hexDigits, 8)),
		whole("new relic key", "NR"+"AK-"+m.of(alnums, 27)),
		whole("dynatrace token", "dt0"+"c01."+m.of(alnums, 24)+"."+m.of(alnums, 64)),
		whole("sentry token", "sntr"+"yu_"+m.of(hexDigits, 64)),
		whole("github token", "gh"+"p_"+m.of(alnums, 36)),
		whole("github token", "gh"+"o_"+m.of(alnums, 36)),
		whole("github token", "gh"+"s_"+m.of(alnums, 36)),
		whole("github token", "gh"+"r_"+m.of(alnums, 76)),
		whole("github token", "github"+"_pat_"+m.of(alnums, 22)+"_"+m.of(alnums, 59)),
		whole("gitlab token", "gl"+"pat-"+m.of(url64s, 20)),
		whole("gitlab token", "gl"+"rt-"+m.of(url64s, 20)),
		whole("bitbucket app password", "AT"+"BB"+m.of(alnums, 32)),
		whole("atlassian token", "ATA"+"TT3"+m.of(url64s, 186)),
		whole("npm token", "np"+"m_"+m.of(alnums, 36)),
		whole("pypi token", "pypi"+"-AgEIcHlwaS5vcmc"+m.of(url64s, 120)),
		whole("rubygems key", "ruby"+"gems_"+m.of(hexDigits, 48)),
		whole("docker token", "dckr"+"_pat_"+m.of(url64s, 27)),
		whole("artifactory key", "AK"+"Cp"+m.of(alnums, 69)),
		whole("sonar token", "sq"+"p_"+m.of(hexDigits, 40)),
		whole("pulumi token", "pu"+"l-"+m.of(hexDigits, 40)),
		whole("openai api key", "s"+"k-"+m.of(alnums, 20)+"T3Blbk"+"FJ"+m.of(alnums, 20)),
		whole("openai api key", "s"+"k-proj-"+m.of(url64s, 74)+"T3Blbk"+"FJ"+m.of(url64s, 74)),
		whole("anthropic api key", "s"+"k-ant-"+"api03-"+m.of(url64s, 93)+"AA"),
		whole("openrouter api key", "s"+"k-or-"+"v1-"+m.of(hexDigits, 64)),
		whole("hugging face token", "h"+"f_"+m.of(alnums, 34)),
		whole("groq api key", "gs"+"k_"+m.of(alnums, 52)),
		whole("replicate token", "r"+"8_"+m.of(alnums, 37)),
		whole("perplexity api key", "pp"+"lx-"+m.of(alnums, 48)),
		whole("cerebras api key", "cs"+"k-"+m.of("abcdefghijklmnopqrstuvwxyz0123456789", 48)),
		whole("nvidia api key", "nv"+"api-"+m.of(url64s, 64)),
		whole("langfuse secret key", "s"+"k-lf-"+m.uuid()),
		whole("together api key", "tg"+"p_v1_"+m.of(url64s, 43)),
		whole("fireworks api key", "f"+"w_"+m.of(alnums, 24)),
		whole("pinecone api key", "pc"+"sk_"+m.of(alnums, 6)+"_"+m.of(alnums, 60)),
		whole("voyage api key", "p"+"a-"+m.of(url64s, 43)),
		whole("cursor api key", "cr"+"sr_"+m.of(hexDigits, 64)),
		whole("vercel blob token", "vercel"+"_blob_rw_"+m.of(alnums, 16)+"_"+m.of(alnums, 30)),
		whole("stripe key", "s"+"k_live_"+m.of(alnums, 24)),
		whole("stripe key", "r"+"k_live_"+m.of(alnums, 99)),
		whole("stripe webhook secret", "wh"+"sec_"+m.of(alnums, 32)),
		whole("shopify token", "shp"+"at_"+m.of(hexDigits, 32)),
		whole("square token", "sq0"+"atp-"+m.of(url64s, 22)),
		whole("square secret", "sq0"+"csp-"+m.of(url64s, 43)),
		whole("facebook token", "EA"+"AC"+m.of(alnums, 150)),
		whole("plaid token", "access"+"-production-"+m.uuid()),
		whole("slack token", "xo"+"xb-"+m.of("123456789", 12)+"-"+m.of("123456789", 13)+"-"+m.of(alnums, 24)),
		whole("slack token", "xa"+"pp-1-"+m.of(capitals, 11)+"-"+m.of("123456789", 13)+"-"+m.of(hexDigits, 64)),
		whole("discord bot token", "M"+"Tk"+m.of(alnums, 22)+"."+m.of(alnums, 6)+"."+m.of(url64s, 38)),
		whole("telegram bot token", "110201"+"543:A"+"A"+m.of(url64s, 33)),
		whole("twilio api key", "S"+"K"+m.of(hexDigits, 32)),
		whole("sendgrid api key", "S"+"G."+m.of(alnums, 22)+"."+m.of(url64s, 43)),
		whole("brevo api key", "xkey"+"sib-"+m.of(hexDigits, 64)+"-"+m.of(alnums, 16)),
		whole("mailgun key", "ke"+"y-"+m.of(hexDigits, 32)),
		whole("mailchimp key", m.of(hexDigits, 32)+"-us"+"14"),
		whole("resend api key", "r"+"e_"+m.of(alnums, 8)+"_"+m.of(alnums, 24)),
		whole("linear api key", "lin"+"_api_"+m.of(alnums, 40)),
		whole("notion token", "nt"+"n_"+m.of("123456789", 11)+m.of(alnums, 35)),
		whole("notion token", "secret"+"_"+m.of(alnums, 43)),
		whole("figma token", "fi"+"gd_"+m.of(url64s, 43)),
		whole("postman api key", "PM"+"AK-"+m.of(hexDigits, 24)+"-"+m.of(hexDigits, 34)),
		whole("airtable token", "pa"+"t"+m.of(alnums, 14)+"."+m.of(hexDigits, 64)),
		whole("age secret key", "AGE-SECRET"+"-KEY-1"+m.of(capitals, 58)),
		whole("dropbox token", "s"+"l."+m.of(url64s, 135)),
		whole("json web token", m.jwt()),
		whole("private key", m.pem("RSA "+"PRIVATE KEY")),
		whole("private key", m.pem("OPENSSH "+"PRIVATE KEY")),
		whole("private key", strings.ReplaceAll(m.pem("PRIVATE"+" KEY"), "\n", `\n`)),
	}
}

// places returns secrets that are told by where they stand.
func (m maker) places() []key {
	in := func(kind, before, secret, after string) key { return key{kind, before + secret + after, secret} }
	basic := base64.StdEncoding.EncodeToString([]byte("deploy:" + m.of(alnums, 12)))
	return []key{
		in("slack webhook", "https://hooks.slack.com/services/", "T"+m.of(capitals, 8)+"/B"+m.of(capitals, 8)+"/"+m.of(alnums, 24), ""),
		in("discord webhook", "https://discord.com/api/webhooks/", m.of("123456789", 18)+"/"+m.of(url64s, 68), " posts"),
		in("api key", "AccountName=store;AccountKey=", m.of(base64s, 86)+"==", ";EndpointSuffix=core.windows.net"),
		in("url password", "postgres://app:", m.of(alnums, 14), "@db.internal:5432/app?sslmode=require"),
		in("url password", "redis://:", "p@ss"+m.of(alnums, 5), "@cache.internal:6379/0"),
		in("url credential", "https://", m.of(hexDigits, 32), "@o12.ingest.sentry.io/45"),
		in("credential", "curl -H 'Authorization: Basic ", basic, "' https://x.test"),
		in("bearer token", "Authorization: Bearer ", m.of(alnums, 40), ""),
		in("bearer token", "the call sends Bearer ", m.of(url64s, 30), " each time"),
		in("password", `{"user": "app", "password": "`, "swordfish9", `"}`),
		in("password", "DB_PASSWORD=", "Tr0ub4dor,3", "\n"),
		in("password", "export PGPASSWORD='", "zebra!"+m.of(alnums, 4), "'"),
		in("password", "password: ", "hunter"+"2", ", as before"),
		in("password", "The admin password is ", "Gr8-Wall!"+"x", "."),
		in("password", `password: "`, "correct horse battery staple", `"`),
		in("password", "  db_passwort = '", "vier graue Esel springen", "' # staging"),
		in("password", `{\"password\": \"`, "correct horse battery staple", `\"}`),
		in("password", "Datenbankpasswort: '", "my dog is called Rex", "'"),
		in("password", "The admin password is \"", "correct horse battery staple", "\"."),
		in("password", "the password is `", "swordfish", "`"),
		in("password", "mein Passwort ist ", "hunter"+"2xyz", ", wie bisher"),
		in("password", "Das Passwort lautet ", "Gr8-Wand!"+"x", "."),
		in("password", "Das Passwort lautet: ", "hunter"+"2xyz", ""),
		in("password", "das WLAN-Passwort lautet '", "vier graue Esel", "'"),
		in("password", "Das Kennwort ist ", "hunter"+"2xyz", ""),
		in("password", "ALTER USER app IDENTIFIED BY '", "correct horse battery staple", "';"),
		in("password", "mysqldump -u root -p", "Xk9"+m.of(alnums, 8), " shop"),
		in("password", "sshpass -p ", m.of(alnums, 9), " ssh box"),
		in("password", "docker login -u bob -p ", m.of(alnums, 16), " ghcr.io"),
		in("api key", "PresharedKey = ", m.of(base64s, 43)+"=", ""),
		in("password", "curl -u bob:", m.of(alnums, 12), " https://x.test"),
		in("password", "login --user x --password ", m.of(alnums, 10), " --force"),
		in("password", "CREATE ROLE app PASSWORD '", m.of(alnums, 11), "';"),
		in("token", "export DEPLOY_TOKEN=", m.of(alnums, 32), ""),
		in("heroku api key", "heroku_api_key = ", m.uuid(), ""),
		in("aws secret", "aws_secret_access_key = ", m.of(base64s, 40), ""),
		in("aws token", "aws_session_token=", m.of(base64s, 1200)+"==", "\n"),
		in("secret", `client_secret: "`, m.of(url64s, 32), `"`),
		in("token", "//registry.npmjs.org/:_authToken=", m.of(hexDigits, 36), ""),
		in("api key", "X-Api-Key: ", m.of(alnums, 32), ""),
		in("session", "Cookie: theme=dark; JSESSIONID=", m.of(capitals, 32), "; lang=de"),
		in("password", "Server=db;Database=shop;User Id=sa;Password=", m.of(alnums, 12), ";Encrypt=true"),
		in("token", `{\"access_token\": \"`, m.of(alnums, 40), `\"}`),
		in("password", "password=", "Tr0ub4dor&3xyz!", ""),
		in("password", "PASSWORD=", "abc&def!9Xyz", "\n"),
		in("password", "user=bob&password=", m.of(alnums, 10), "&remember"),
		in("password", "password=", m.of(alnums, 10), "&user=bob"),
		in("password", "PASSWORD=", m.of(alnums, 10), "&&./run"),
		in("password", "<a href='?x=1&amp;password=", m.of(alnums, 10), "&amp;y=2'>"),
		in("token", "https://api.test/v1?access_token=", m.of(alnums, 32), "&flag"),
		in("token", "https://api.test/v1?limit=5&access_token=", m.of(alnums, 32), "&page=2"),
		in("password", "machine api.acme.test login bob password ", "quietriver", "\n"),
		in("password", "machine api.acme.test\n  login bob\n  password ", "quietriver", "\n"),
		in("password", "# pgpass\ndb.acme.test:5432:shop:app:", "quietriver", "\nother"),
		in("password", "*:*:*:app:", "quiet:river", ""),
		in("session", "Set-Cookie: remember_me=", m.of(alnums, 24), "; Path=/; HttpOnly"),
		in("session", "Cookie: lang=de; acme_login=", m.uuid(), "; theme=dark"),
		in("session", "curl -b 'acme_login=", m.of(alnums, 20), "' https://x.test"),
		in("session", "curl --cookie \"acme_login=", m.of(alnums, 20), "\" https://x.test"),
		in("password", "unzip -P ", "quietriver", " backup.zip"),
		in("password", "<password>", "quietriver", "</password>"),
		in("token", "<deployToken>\n  ", m.of(alnums, 30), "\n</deployToken>"),
		in("password", `<add key="DbPassword" value="`, "quiet-river-9", `"/>`),
		in("token", "- name: DEPLOY_TOKEN\n  value: \"", m.of(alnums, 30), "\""),
		in("token", `{"name": "DEPLOY_TOKEN", "value": "`, m.of(alnums, 30), `"}`),
		in("token", `t.Setenv("DEPLOY_TOKEN", "`, m.of(alnums, 30), `")`),
		in("token", `var deployToken string = "`, m.of(alnums, 30), `"`),
		in("token", `const deployToken: string = "`, m.of(alnums, 30), `";`),
		in("token", `DEPLOY_TOKEN ::= "`, m.of(alnums, 30), `"`),
		in("token", `$deployToken .= "`, m.of(alnums, 30), `";`),
		in("token", "deploy_token: |\n  ", m.of(alnums, 30), "\n"),
		in("api key", "API key:\n\t", m.of(alnums, 30), "\n"),
		in("api key", "The API key is\n", m.of(alnums, 30), "\n"),
		in("api key", "der API-Schlüssel lautet:\n`", m.of(alnums, 30), "`\n"),
		in("password", "password of the staging database: ", "Gr8-Wall!"+"x", "\n"),
		in("password", "The password for bob on the old server is ", "hunter"+"2xyz", ", as ever"),
		in("password", "log in as bob with password ", "hunter"+"2xyz", ", then restart"),
		in("password", "log in as bob with the password `", "quietriver", "`"),
		in("password", "mit dem Passwort ", "hunter"+"2xyz", " anmelden"),
		in("password", "Das Passwort für den Testserver ist ", "hunter"+"2xyz", "."),
		in("password", "Passwort vom Router: ", "hunter"+"2xyz", ""),
		in("password", "le mot de passe est ", "hunter"+"2xyz", "."),
		in("password", "Mot de passe : ", "hunter"+"2xyz", ""),
		in("password", "mot de passe de la base : ", "hunter"+"2xyz", ""),
		in("password", "connecté avec le mot de passe ", "hunter"+"2xyz", ""),
		in("api key", "la clé API est ", m.of(alnums, 30), ""),
		in("password", "la contraseña es ", "hunter"+"2xyz", "."),
		in("password", "Contraseña: ", "hunter"+"2xyz", ""),
		in("password", "contraseña del servidor de pruebas: ", "hunter"+"2xyz", ""),
		in("password", "con la contraseña ", "hunter"+"2xyz", " entras"),
		in("api key", "la clave de API es ", m.of(alnums, 30), ""),
		in("heroku api key", "HEROKU_API_KEY=", m.uuid(), ""),
		in("sumologic id", `sumoToken = "`, "su"+"LWdRTyvBnMqX", `"`),
	}
}

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 1))} }

func TestFormatsAreRedacted(t *testing.T) {
	gone, all := 0, 0
	for seed := range uint64(20) {
		m := newMaker(seed)
		for _, k := range m.formats() {
			for _, around := range [][2]string{{"", ""}, {"use ", " here"}, {`{"x":"`, `"}`}, {"- key: ", ".\n"}, {`a\n`, `\nb`}} {
				all++
				if checkKey(t, key{k.kind, around[0] + k.text + around[1], k.secret}) {
					gone++
				}
			}
		}
	}
	testlab.Report(t, "", "%d formats of keys: %d of %d occurrences redacted", len(newMaker(0).formats()), gone, all)
}

func TestPlacesAreRedacted(t *testing.T) {
	gone, all := 0, 0
	for seed := range uint64(20) {
		for _, k := range newMaker(seed).places() {
			all++
			if checkKey(t, k) {
				gone++
			}
		}
	}
	testlab.Report(t, "", "%d places: %d of %d occurrences redacted", len(newMaker(0).places()), gone, all)
}

// checkKey fails unless exactly the secret is replaced by its marker.
func checkKey(t *testing.T, k key) bool {
	t.Helper()
	clean, secrets := redact.Text(k.text)
	want := strings.Replace(k.text, k.secret, "[redacted: "+k.kind+"]", 1)
	if clean != want {
		t.Errorf("Text(%q)\n got %q\nwant %q", k.text, clean, want)
		return false
	}
	if secrets != 1 {
		t.Errorf("Text(%q) found %d secrets", k.text, secrets)
		return false
	}
	return true
}

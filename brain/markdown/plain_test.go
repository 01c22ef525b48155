package markdown_test

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

func TestPlainHasNoMarks(t *testing.T) {
	for text, want := range map[string]string{
		"Ask [[People/Mara|Mara]] about [the kiln](https://x.y/z \"t\")":          "Ask Mara about the kiln",
		"See [`recall`](docs/recall.md) and <https://x.y/z?a=1>":                  "See `recall` and https://x.y/z?a=1",
		"Aus [Tonsorten](https://de.wikipedia.org/wiki/Ton_(Bodenart)) wählen":    "Aus Tonsorten wählen",
		"We fire on **Mondays** and **[[Days/Friday|Fridays]]**":                  "We fire on Mondays and Fridays",
		"**Wichtig:** der Ofen bleibt ==fest verschlossen==.":                     "Wichtig: der Ofen bleibt fest verschlossen.",
		"- [ ] #task Order clay ^a1b2c3":                                          "- Order clay",
		"#project/shop Order clay #todo":                                          "Order clay",
		"Order clay #project/shop.":                                               "Order clay.",
		"> [!important] Keep the lid shut <!-- really -->":                        "Keep the lid shut",
		"Fire <b>slowly</b>, <span style=\"color: red\">never <i>fast</i></span>": "Fire slowly, never fast",
		"![[kiln.png]] shows %% badly %% the kiln":                                "kiln.png shows the kiln",
	} {
		if got := markdown.Plain(text); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

// What only looks like a mark keeps its meaning.
func TestPlainKeepsWords(t *testing.T) {
	for _, text := range []string{
		"⛔ Never push to main on Fridays", "🔁 Always retry a failed upload once", "Ein ✅ im Ticket heißt: geprüft 🚀",
		"The brand colour is #ff6600", "Post incidents in #incidents", "#12: log lines with priority: low", "Use C# 12 and F#",
		"Wrap it in Arc::new(Mutex::new(x))", "Prefer std::vector<std::pair<int, int>> to map<K, V>", "auto f = [&](auto x) { return x[i][0]; };",
		"Branch if x == 1 or y == 2", "Draw x**2 + y**2 at (a)**(b) + (c)**(d)", "Pass f(**opts, **more) and *args", "2 * 3 * 4 is 2**3 * 3",
		"Match [^a-z] but not [^2]", "Take grid[x][y], then Map[T](xs) and handlers[i](req.body)", "R reads x[[1]], numpy [[1, 2], [3, 4]]",
		"50%% of the width, 20%% of the height", "for %%f in (*.c) do echo %%~nf", "Test [[ -f $x || -d $y ]] && echo `date`",
		"Watch **/*.go, src/** and **/build", "snake_case, __init__ and _id stay", "~~Port 5432~~ port 5433", "- [x] Staging is deployed",
		"Code `**kwargs` and `[[Name]]` stays", "a && b || c | d > e 2>&1", "git reset HEAD^ or HEAD~2", "Vec<u> holds x<sup>2</sup>, <b> is bold and <del>gone</del>", "if (a < b && c > d) return",
		"Einkauf für 3 €/kg (netto), 20 % Rabatt", "Rename the #todo tag to #task in the vault",
	} {
		if got := markdown.Plain(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

/** A piece of a text, and whether the other text lacks it. */
export type Piece = { text: string; only: boolean }

const most = 1500 // words; longer texts are compared as sets of words

const words = (text: string) => text.slice(0, 20_000).match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu) ?? []
const isWord = (piece: string) => /[\p{L}\p{N}]/u.test(piece)

/** Two texts in pieces, those marked that only one of them has. */
export function compare(a: string, b: string): [Piece[], Piece[]] {
  const left = words(a)
  const right = words(b)
  if (left.length > most || right.length > most) return [lacking(a, [b]), lacking(b, [a])]
  // longest[i][j] is the length of the longest common run of pieces of left from i and right from j.
  const longest = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1))
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      longest[i]![j] = left[i] === right[j] ? longest[i + 1]![j + 1]! + 1 : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!)
  const [olds, news]: [Piece[], Piece[]] = [[], []]
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    if (left[i] !== undefined && left[i] === right[j]) {
      olds.push({ text: left[i++]!, only: false })
      news.push({ text: right[j++]!, only: false })
    } else if (j >= right.length || (i < left.length && longest[i + 1]![j]! >= longest[i]![j + 1]!)) olds.push({ text: left[i]!, only: isWord(left[i++]!) })
    else news.push({ text: right[j]!, only: isWord(right[j++]!) })
  }
  return [olds, news]
}

/** A text in pieces, those marked that none of the others has. */
export function lacking(text: string, others: string[]): Piece[] {
  const theirs = new Set(others.flatMap((o) => words(o.toLowerCase())))
  return words(text).map((piece) => ({ text: piece, only: isWord(piece) && others.length > 0 && !theirs.has(piece.toLowerCase()) }))
}

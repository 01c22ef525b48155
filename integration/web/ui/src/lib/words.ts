import type { Dot, Numbers } from './api'

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** "3 days ago", "in 4 minutes" */
export function ago(instant: string | null | undefined, now: number): string {
  if (!instant) return ''
  const ms = Date.parse(instant) - now
  for (const [unit, size] of units) if (Math.abs(ms) >= size) return relative.format(Math.round(ms / size), unit)
  return ms < 10_000 ? 'just now' : 'in less than a minute' // the clock of the page may be ten seconds behind
}

export const absolute = (instant: string | null | undefined) => (instant ? new Date(instant).toLocaleString() : '')

/** A text with its instants as this browser writes them, and its tiers as people say them. */
export const localTimes = (text: string) => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, absolute).replace(/\b(shortTerm|longTerm)\b/g, (tier) => tierWords[tier]!)

export const short = (id: string) => (id.startsWith('test_') ? id.slice(0, 13) : id.slice(0, 8))

export const count = (n: number) => n.toLocaleString('en')

export const bytes = (n: number) => (n < 1e6 ? Math.ceil(n / 1e3) + ' kB' : n < 1e9 ? (n / 1e6).toFixed(1) + ' MB' : (n / 1e9).toFixed(1) + ' GB')

/** Tiers as people say them. */
export const tierWords: Record<string, string> = {
  working: 'working', shortTerm: 'short-term', longTerm: 'long-term', core: 'core', expired: 'expired',
  archivedWorking: 'archived', archivedShortTerm: 'archived', superseded: 'superseded',
}

export const tierColour = (tier: string | null | undefined) =>
  tier && ['working', 'shortTerm', 'longTerm', 'core', 'expired'].includes(tier) ? `var(--${tier})` : 'var(--other)'

/** The fading rate of a live memory per hour. One that is due for promotion fades like the next tier. */
export function rateOf(dot: Dot, numbers: Numbers): number {
  const next: Record<string, string> = { working: 'shortTerm', shortTerm: 'longTerm' }
  return dot.expiresAt ? (numbers.lambda[(dot.promoteDue && next[dot.tier]) || dot.tier] ?? 0) : 0
}

/** A half-life as people say it: "1.4 h", "28.9 d". */
export function halfLife(lambda: number): string {
  const hours = Math.LN2 / lambda
  return hours < 48 ? hours.toFixed(1) + ' h' : (hours / 24).toFixed(1) + ' d'
}

/** Runs by kind: what they are called, and what they did. */
export const runWords: Record<string, [name: string, did: string]> = {
  consolidate: ['maintenance', 'promoted and expired what was due, and looked for memories that say the same or may not both hold'],
  settle: ['due changes', 'promoted or expired what was due, before a memory was used'],
  curate: ['MEMORY.md', 'wrote the file of the strongest memories, which agents read'],
  review: ['verdict', 'did what was decided in Review'],
  promote: ['promotion', 'raised memories to another tier'],
  decay: ['expiry', 'let fade and expire what was due'],
  correct: ['correction', 'changed what a memory says'],
  replace: ['replacement', 'let one memory hold instead of another'],
  forget: ['forgetting', 'archived memories and removed them'],
  unforget: ['return', 'brought back what was forgotten'],
  relate: ['relation', 'related memories to each other'],
  import: ['import', 'brought in memories of another program'],
  core: ['core memory', 'changed what never fades'],
}

/** Actions of runs. */
export const actionWords: Record<string, string> = {
  promote: 'promoted', expire: 'expired', revive: 'alive again', forget: 'forgotten', unforget: 'brought back', supersede: 'replaced', replace: 'replaced', merge: 'merged', relate: 'related',
  keep: 'left as it is', curate: 'file written',
}

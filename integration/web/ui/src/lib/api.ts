import type { components } from './types'

type Schemas = components['schemas']
export type Memory = Schemas['View']
export type Shown = Schemas['ShowAnswer']
export type Why = Schemas['WhyAnswer']
export type History = Schemas['HistoryAnswer']
export type Recollection = Schemas['Recollection']
export type Status = Schemas['StatusAnswer']
export type Health = Schemas['Report']
export type Reminders = Schemas['RemindersAnswer']
export type Review = Schemas['ReviewList']
export type Runs = Schemas['RunsAnswer']
export type Run = Schemas['RunAnswer']
export type Related = Schemas['GraphAnswer']
export type Timeline = Schemas['TimelineAnswer']
export type Day = Schemas['DayAnswer']
export type Backups = Schemas['BackupsAnswer']
export type Log = Schemas['LogAnswer']
export type Settings = Schemas['SettingCommands']
export type Groups = Schemas['GroupsAnswer']
export type Page = Schemas['Page']
export type Life = Schemas['Life']
export type Field = Schemas['FieldAnswer']
export type Density = Schemas['DensityAnswer']
export type Dot = Schemas['Dot']
export type Next = Schemas['NextAnswer']
export type Numbers = Schemas['Numbers']
export type Exchange = Schemas['ExchangeAnswer']

/** What the daemon answered instead of a document, or that it did not answer. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly hint = '',
  ) {
    super(message)
  }
}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  let answer: Response
  try {
    answer = await fetch('/api/v1/' + path, init)
  } catch {
    throw new Problem(0, 'The daemon does not answer.', 'Start it with brainbridge serve; the page comes back by itself.')
  }
  if (answer.ok) return answer.json()
  if (answer.status === 401) throw new Problem(401, 'This browser is not logged in any more.', 'Type brainbridge open in a terminal.')
  const problem = await answer.json().catch(() => ({ detail: answer.statusText }))
  throw new Problem(answer.status, problem.detail, problem.hint)
}

/** Parameters of an address; empty ones are left out, lists are repeated. */
export function parameters(given: Record<string, string | number | boolean | string[] | undefined>): string {
  const all = new URLSearchParams()
  for (const [key, value] of Object.entries(given)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one) all.append(key, String(one))
  }
  return String(all)
}

export const get = <T>(path: string, signal?: AbortSignal) => ask<T>(path, { signal })

export const post = <T>(path: string, body: unknown = {}) =>
  ask<T>(path, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Brainbridge': '1' }, body: JSON.stringify(body) })

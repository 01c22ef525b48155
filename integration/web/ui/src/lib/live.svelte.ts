import { untrack } from 'svelte'
import { get, post, Problem } from './api'

/** What the page knows of the daemon: whether it answers, whether it lets this browser in, and how often what it shows has changed. */
export const live = $state({ online: true, refused: false, turn: 0, now: Date.now() })

let version: string | undefined

/** Follows the changes of the store. Resolves at the first news of the daemon, or after half a second without any. */
export function follow(): Promise<void> {
  setInterval(() => (live.now = Date.now()), 10_000)
  return new Promise((known) => {
    setTimeout(known, 500)
    listen(known)
  })
}

function listen(known: () => void) {
  const events = new EventSource('/api/v1/events')
  events.addEventListener('change', (e) => {
    const before = version
    version = JSON.parse(e.data).version
    if (!live.online || (before !== undefined && before !== version)) live.turn++
    live.online = true
    live.refused = false
    known()
  })
  events.addEventListener('beat', () => (live.online = true))
  events.addEventListener('error', () => {
    live.online = false
    known()
    if (events.readyState !== EventSource.CLOSED) return // the browser connects again
    get('status').catch((problem: Problem) => (live.refused = problem.status === 401))
    setTimeout(listen, 2000, known)
  })
}

// Milliseconds until a document may be asked for again: after an answer, also as a multiple of how long that took, and after a
// failure of the daemon or the store.
const pause = { least: 200, times: 3, failed: 5000 }

/**
 * A document that is asked for again after changes of the store: at once, but the more seldom the longer an answer takes, so that a
 * store in which much happens does not keep the daemon busy. What was there stays while the daemon is away.
 */
export class Document<T> {
  value = $state.raw<T>()
  problem = $state<Problem>()

  constructor(fetch: (signal: AbortSignal) => Promise<T>) {
    $effect(() => {
      const abort = new AbortController()
      let turn = 0 // as of which it was asked for last
      let busy = true
      const ask = async () => {
        turn = untrack(() => live.turn)
        const start = performance.now()
        let wait = 0
        try {
          const value = await fetch(abort.signal) // the effect runs again when what this reads changes
          if (abort.signal.aborted) return
          this.value = value
          this.problem = undefined
        } catch (error) {
          if (abort.signal.aborted) return
          const problem = error instanceof Problem ? error : new Problem(0, String(error))
          this.problem = problem
          if (problem.status === 0 || problem.status >= 500) [turn, wait] = [-1, pause.failed]
        }
        const rested = () => {
          busy = false
          again()
        }
        setTimeout(rested, wait || Math.max(pause.least, pause.times * (performance.now() - start)))
      }
      const again = () => {
        if (busy || abort.signal.aborted || turn === untrack(() => live.turn)) return
        busy = true
        void ask()
      }
      void ask()
      $effect(() => {
        void live.turn
        again()
      })
      return () => abort.abort()
    })
  }
}

/** The last action that can be taken back. */
export const done = $state<{ what: string; run: string; problem?: Problem }>({ what: '', run: '' })

/** Puts away a failure, which says nothing of the view that is shown next. */
export function forgetFailure() {
  if (done.problem) Object.assign(done, { what: '', run: '', problem: undefined })
}

/** Does something, and offers its undo if it was a run. */
export async function act<T extends { runId?: string | null }>(what: string, action: () => Promise<T>): Promise<T | undefined> {
  try {
    const answer = await action()
    Object.assign(done, { what, run: answer.runId ?? '', problem: undefined })
    return answer
  } catch (error) {
    Object.assign(done, { what, run: '', problem: error instanceof Problem ? error : new Problem(0, String(error)) })
  }
}

/** Takes back a run, or one action of it, and says what could not be. */
export async function takeBack(run: string, action = '') {
  const answer = await act('', () => post<{ undone: number; skipped: { reason: string }[] | null }>(`runs/${run}/undo`, action ? { action } : {}).then((a) => ({ ...a, runId: null })))
  if (!answer) return
  const reasons = [...new Set(answer.skipped?.map((s) => s.reason))].join('; ')
  done.what = reasons ? `Not taken back: ${reasons}.${answer.undone ? ` The rest is (${answer.undone}).` : ''}` : 'Taken back.'
}

import { post, Problem } from './api'

/** What the page knows of the daemon: whether it answers, and the version of the store. */
export const live = $state({ online: true, version: '', now: Date.now() })

/** Follows the changes of the store. The browser connects again by itself. */
export function follow(): () => void {
  const events = new EventSource('/api/v1/events')
  events.addEventListener('change', (e) => {
    live.online = true
    live.version = JSON.parse(e.data).version
  })
  events.addEventListener('beat', () => (live.online = true))
  events.addEventListener('error', () => (live.online = false))
  const clock = setInterval(() => (live.now = Date.now()), 10_000)
  return () => {
    clearInterval(clock)
    events.close()
  }
}

/** A document that is asked for again after each change of the store. What was there stays while the daemon is away. */
export class Document<T> {
  value = $state<T>()
  problem = $state<Problem>()

  constructor(fetch: (signal: AbortSignal) => Promise<T>) {
    $effect(() => {
      void live.version
      void live.online
      const abort = new AbortController()
      fetch(abort.signal).then(
        (value) => {
          this.value = value
          this.problem = undefined
        },
        (error) => {
          if (!abort.signal.aborted) this.problem = error instanceof Problem ? error : new Problem(0, String(error))
        },
      )
      return () => abort.abort()
    })
  }
}

/** The last action that can be taken back. */
export const done = $state<{ what: string; run: string; problem?: Problem }>({ what: '', run: '' })

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

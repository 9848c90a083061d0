// Watches the runs of the folder while a page is open, and tells what has changed.
import type { ListedRun } from '../domain/listed-run.ts'
import type { RunList } from '../library/index.ts'
import type { Calls, WorkbenchEvent } from './api.ts'

export type Watch = ReturnType<typeof watchRuns>

const LOOK_MS = 800

/** `failed` gets the reason why the folder cannot be read. */
export function watchRuns(list: RunList, calls: () => Calls, failed: (error: unknown) => void) {
  const listeners = new Set<(event: WorkbenchEvent) => void>()
  const tellAll = (event: WorkbenchEvent): void => listeners.forEach((hear) => hear(event))
  /** The runs as the pages know them; undefined while there is no page. */
  let shown: string | undefined
  let shownCalls = ''
  let timer: NodeJS.Timeout | undefined
  /** One reading at a time: it follows journals that grow. */
  let reading: Promise<readonly ListedRun[]> | undefined
  const read = async (): Promise<readonly ListedRun[]> => {
    reading ??= list.read().finally(() => {
      reading = undefined
    })
    return reading
  }
  const tell = async (): Promise<void> => {
    const runs = await read()
    const now = JSON.stringify(runs)
    if (shown !== undefined && shown !== now) tellAll({ kind: 'runs', runs })
    shown = now
    const callsNow = JSON.stringify(calls())
    if (callsNow !== shownCalls) tellAll({ kind: 'calls', calls: calls() })
    shownCalls = callsNow
  }
  const look = (): void => {
    if (listeners.size > 0) void tell().catch(failed)
  }
  return {
    read,
    look,
    tellAll,
    /** Returns how to end it. */
    subscribe: (hear: (event: WorkbenchEvent) => void) => {
      listeners.add(hear)
      if (shown === undefined) look()
      timer ??= setInterval(look, LOOK_MS).unref()
      return () => {
        listeners.delete(hear)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
        shown = undefined
      }
    },
    close: () => clearInterval(timer),
  }
}

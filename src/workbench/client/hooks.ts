// What the views share: data that is loaded, actions that may be refused, the time, and changes as they come.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { WorkbenchSession, WorkbenchEvent } from '../api.ts'
import { Refused } from './api.ts'

export interface ViewProps {
  readonly session: WorkbenchSession
  readonly parameters: URLSearchParams
  readonly events: Events
  readonly isAway: boolean
}

/** When the events are `reopened`, changes may have been missed; while they are `away`, nothing is heard. */
export type Heard = WorkbenchEvent | { readonly kind: 'reopened' | 'away' }

export type Events = ReturnType<typeof openEvents>

/** Connected while the page is visible: a browser allows six connections to a server, whatever the tabs. */
export function openEvents() {
  const listeners = new Set<(event: Heard) => void>()
  const tell = (event: Heard): void => listeners.forEach((listener) => listener(event))
  let source: EventSource | undefined
  let wasOpen = false
  const follow = (): void => {
    source?.close()
    if (document.hidden) return
    source = new EventSource('/api/events')
    source.addEventListener('message', ({ data }) => tell(JSON.parse(String(data)) as WorkbenchEvent))
    source.addEventListener('open', () => {
      if (wasOpen) tell({ kind: 'reopened' })
      wasOpen = true
    })
    // The browser tries again by itself.
    source.addEventListener('error', () => tell({ kind: 'away' }))
  }
  document.addEventListener('visibilitychange', follow)
  follow()
  return {
    /** Returns what ends it. */
    listen: (listener: (event: Heard) => void) => {
      listeners.add(listener)
      return (): void => void listeners.delete(listener)
    },
  }
}

/** Loads again when one of `inputs` changes. The old data stays until the new is there. */
export function useData<T>(load: () => Promise<T>, inputs: readonly unknown[]) {
  const [state, setState] = useState<{ readonly data?: T; readonly error?: Refused }>({})
  const [times, setTimes] = useState(0)
  useEffect(() => {
    let isWanted = true
    load()
      .then((data) => isWanted && setState({ data }))
      .catch((error: unknown) => isWanted && setState((before) => ({ ...before, error: refusedBy(error) })))
    return () => {
      isWanted = false
    }
  }, [...inputs, times])
  const reload = useCallback(() => setTimes((before) => before + 1), [])
  return { ...state, reload }
}

/** `act` does nothing while the last action goes on. */
export function useAction() {
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<Refused>()
  const act = (action: () => Promise<unknown>): void => {
    if (isBusy) return
    setIsBusy(true)
    setError(undefined)
    action()
      .catch((thrown: unknown) => setError(refusedBy(thrown)))
      .finally(() => setIsBusy(false))
  }
  return { isBusy, error, act }
}

/** What is no refusal is a fault of ours, which belongs on the console. */
function refusedBy(error: unknown): Refused {
  if (error instanceof Refused) return error
  console.error(error)
  return new Refused({ error: `Something went wrong in this page: ${String(error)}` })
}

export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined
    const onLeave = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', onLeave)
    return () => removeEventListener('beforeunload', onLeave)
  }, [isUnsaved])
}

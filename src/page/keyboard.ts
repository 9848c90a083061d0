// The keys of a view.
import { useLayoutEffect } from 'preact/hooks'

/** Safari ends the composition before the key that ends it; its code is the one that input methods send. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229

/** Calls `act` where what it acts on is in view; else that comes into view, for a second press. */
export function actOnSeen(selector: string, act: () => void): void {
  const element = document.querySelector(selector)
  if (element === null) return
  const { top, bottom } = element.getBoundingClientRect()
  const barEnds = document.querySelector('.bar')?.getBoundingClientRect().bottom ?? 0
  if (bottom > barEnds && top < innerHeight) act()
  else element.scrollIntoView({ block: 'center' })
}

/** A key acts once, however long it is held, but not in a field, in a dialog, or while a word is composed. */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  // A layout effect, since an effect would miss a key that is pressed right after a change.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target } = event
      if (event.repeat || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector(':popover-open') !== null) return
      if (target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select')) {
        if (key === 'Escape') target.blur()
        return
      }
      const press = Object.hasOwn(keys, key) ? keys[key] : undefined
      if (press === undefined) return
      press()
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}

// The keys of a view.
import { useLayoutEffect } from 'preact/hooks'

/**
 * A key acts once, however long it is held; none acts in a field, in a dialog, or while a word is composed.
 * A page may hold views that it does not show: `isShown`.
 */
export function useKeys(
  keys: Readonly<Record<string, (() => void) | undefined>>,
  isShown: () => boolean = () => true,
): void {
  // A layout effect, since an effect would miss a key that is pressed right after a change.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target } = event
      if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      if (!isShown() || document.querySelector(':popover-open') !== null) return
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

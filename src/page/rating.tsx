// What people say of an answer: the rating and the note, and those of an answer that has changed since.
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { PageTurn } from '../domain/conversations.ts'
import { RATINGS } from '../domain/review.ts'
import { Button, Icon } from './controls.tsx'
import { useDesk } from './acts.ts'
import { Folded } from './details.tsx'
import { isComposing } from './keyboard.ts'
import { Untrusted } from './text.tsx'

interface Props {
  readonly turn: PageTurn
}

export function ReviewedBefore({ turn }: Props) {
  const { acts } = useDesk()
  const { reviewedBefore: review, change } = turn
  if (review === null || acts.markOf(turn).word !== null) return null
  const says = (
    <>
      <b class="warn">Needs review</b>: the answer changed since it was rated {review.word}{' '}
      <Untrusted text={review.note && `(${review.note})`} max={300} />
    </>
  )
  // The change may show the same answer.
  if (review.answer === '' || review.answer === change?.answer) return <p class="done">{says}</p>
  return (
    <Folded says={says} isOpen>
      <p class="turn-text quiet">
        <Untrusted text={review.answer} />
      </p>
    </Folded>
  )
}

export function Rated({ turn }: Props) {
  const { word, note } = useDesk().acts.markOf(turn)
  const parts = [word === null ? 'Note' : `Rated ${word}`, ...(note === '' ? [] : [note])]
  return word === null && note === '' ? null : (
    <p class="line done quiet">
      <Untrusted text={parts.join(': ')} />
    </p>
  )
}

interface RateProps extends Props {
  readonly note?: RefObject<HTMLTextAreaElement | null> | undefined
}

export function Rate({ turn, note: field }: RateProps) {
  const { acts } = useDesk()
  const { word, note } = acts.markOf(turn)
  const [isOpen, setIsOpen] = useState(note !== '')
  // Undo, and another tab, change it; what is being typed stays.
  useLayoutEffect(() => {
    const { current: area } = field ?? {}
    if (area && area !== document.activeElement) area.value = note
  }, [note])
  useEffect(() => {
    // The question whether to leave gives the note the time to be saved.
    const onLeave = (event: BeforeUnloadEvent): void => {
      const area = field?.current
      if (!area || area.value === note) return
      area.blur()
      event.preventDefault()
    }
    addEventListener('beforeunload', onLeave)
    return () => removeEventListener('beforeunload', onLeave)
  }, [note])
  /** Leaving the field saves its note. */
  const onNoteKey = (event: KeyboardEvent): void => {
    if ((event.key !== 'Enter' || event.shiftKey) && event.key !== 'Escape') return
    if (isComposing(event)) return
    event.preventDefault()
    field?.current?.closest<HTMLElement>('.turn')?.focus()
  }
  return (
    <>
      <div class="line acts">
        {/* Enter that is held on a button would click it again and again. */}
        <div
          class="segments"
          role="group"
          aria-label="Rate this answer"
          onKeyDown={(event) => event.repeat && event.preventDefault()}
        >
          {RATINGS.map((rating, index) => (
            <Button
              aria-pressed={word === rating}
              disabled={acts.away !== undefined}
              act={() => acts.rate(turn, { word: word === rating ? null : rating, note })}
            >
              {rating} <kbd>{index + 1}</kbd>
            </Button>
          ))}
        </div>
        <Button aria-expanded={isOpen} act={() => setIsOpen(!isOpen)}>
          <Icon name="note" />
          Note <kbd>e</kbd>
        </Button>
        {acts.away === undefined ? null : <span class="quiet">{acts.away}</span>}
      </div>
      {/* It is there for the key, also while it is closed. A rating that is saved leaves what is typed. */}
      <label class={`note-text field ${isOpen ? '' : 'off-screen'}`}>
        <span>Note</span>
        <textarea
          ref={field ?? null}
          class="input"
          rows={2}
          tabIndex={isOpen ? 0 : -1}
          defaultValue={note}
          onFocus={() => setIsOpen(true)}
          onKeyDown={onNoteKey}
          onChange={({ currentTarget }) => acts.rate(turn, { word, note: currentTarget.value })}
        />
      </label>
    </>
  )
}

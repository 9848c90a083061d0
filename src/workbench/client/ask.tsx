// One question, or a conversation, to a target: the answer as a report shows it.
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { PageTurn } from '../../domain/conversations.ts'
import { AbilitiesContext } from '../../page/abilities.ts'
import { Untrusted } from '../../page/text.tsx'
import { TurnView } from '../../page/turn.tsx'
import type { Asked, TargetInfo } from '../api.ts'
import { AddToSet } from './add-to-set.tsx'
import { post, queryOf } from './api.ts'
import { Frame, Problem } from './frame.tsx'
import { useAction, type ViewProps } from './hooks.ts'
import { TargetSelect } from './start-form.tsx'

export function Ask({ session }: ViewProps) {
  const { targets, sets, isReadOnly } = session
  const { target, asked, waiting, error, ask, startOver } = useConversation(targets)
  const box = useRef<HTMLTextAreaElement>(null)
  const missing =
    target === undefined
      ? 'There is no target. Name one in assist-harness.yaml.'
      : (target.problem ?? undefined)
  const problem = isReadOnly ? 'This workbench is read-only.' : missing
  // The list of targets says it of the sandbox.
  const cost = target?.isSandbox === true ? '' : 'Each question costs a call, or more if one fails.'
  const onNew = (): void => {
    startOver(target)
    box.current?.focus()
  }
  return (
    <Frame
      session={session}
      title="Ask"
      heading="Ask"
      keys={[
        { key: '/', does: 'Write a question', press: () => box.current?.focus() },
        { key: 'Enter', does: 'Send it (Shift+Enter: a new line)' },
        { key: 'n', does: 'New conversation', press: onNew },
      ]}
    >
      <div class="toolbar">
        <label>
          Target <TargetSelect targets={targets} chosen={target} choose={startOver} />
        </label>
        <span class={problem === undefined ? 'muted' : 'warn'}>
          <Untrusted text={problem ?? cost} max={300} />
        </span>
        {asked.length === 0 ? null : (
          <button type="button" onClick={onNew} disabled={waiting !== undefined}>
            New conversation
          </button>
        )}
      </div>
      <ConversationView asked={asked} waiting={waiting} sets={isReadOnly ? undefined : sets} />
      <Problem error={error} />
      <Composer
        box={box}
        isFirst={asked.length === 0}
        isDisabled={problem !== undefined || waiting !== undefined}
        ask={ask}
      />
    </Frame>
  )
}

interface Conversation {
  readonly target: string | undefined
  readonly asked: readonly Asked[]
}

/** The tab keeps the conversation, so that it is there again after a look at another view. */
const STORED = 'assist-harness conversation'

function useConversation(targets: readonly TargetInfo[]) {
  const first = targets.find(({ problem }) => problem === null) ?? targets[0]
  const [conversation, setConversation] = useState<Conversation>(() => {
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? '{"asked":[]}') as Conversation
    return targets.some(({ name }) => name === stored.target) ? stored : { target: first?.name, asked: [] }
  })
  useEffect(() => sessionStorage.setItem(STORED, JSON.stringify(conversation)), [conversation])
  const { asked } = conversation
  const [waiting, setWaiting] = useState<string>()
  const asking = useAction()
  const target = targets.find(({ name }) => name === conversation.target)
  const ask = (message: string, done: () => void): void => {
    if (target === undefined) return
    const id = asked.at(-1)?.conversation ?? null
    asking.act(async () => {
      setWaiting(message)
      try {
        const answer = await post('/api/ask', { target: target.name, conversation: id, message })
        // An answer to a conversation that was left since is not of this one.
        setConversation((now) => (now.asked === asked ? { ...now, asked: [...asked, answer] } : now))
        done()
      } finally {
        setWaiting(undefined)
      }
    })
  }
  const startOver = (chosen: TargetInfo | undefined): void =>
    setConversation({ target: chosen?.name, asked: [] })
  return { target, asked, waiting, error: asking.error, ask, startOver }
}

/** Links of a report lead to its conversations; here, those to an article lead to the articles. */
function useArticleLinks(): void {
  useEffect(() => {
    const onHash = (): void => {
      const [, find] = /^#find=article:"(.*)"$/s.exec(decodeURIComponent(location.hash)) ?? []
      if (find !== undefined) location.replace(`/articles${queryOf({ find })}`)
    }
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [])
}

interface ConversationProps {
  readonly asked: readonly Asked[]
  readonly waiting: string | undefined
  /** Undefined where nothing can be added to a set. */
  readonly sets: readonly string[] | undefined
}

function ConversationView({ asked, waiting, sets }: ConversationProps) {
  const end = useRef<HTMLDivElement>(null)
  useArticleLinks()
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [asked, waiting])
  const ofTurn = (turn: PageTurn) => {
    const at = asked.findIndex((answer) => answer.turn === turn)
    return sets === undefined ? null : <AddToSet conversation={asked.slice(0, at + 1)} sets={sets} />
  }
  return (
    <div class="asked">
      <AbilitiesContext.Provider value={{ ofTurn }}>
        {asked.map(({ conversation, turn }, index) => (
          <TurnView key={`${conversation} ${index}`} turn={turn} marks={null} changes={[]} />
        ))}
      </AbilitiesContext.Provider>
      {waiting === undefined ? null : (
        <div class="turn">
          <div class="bubble ask">
            <Untrusted text={waiting} />
          </div>
          <p class="muted" role="status">
            Waiting for the answer…
          </p>
        </div>
      )}
      <div ref={end} />
    </div>
  )
}

interface ComposerProps {
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly isFirst: boolean
  readonly isDisabled: boolean
  /** `done` is called after the answer; a question that was refused stays in the box. */
  readonly ask: (message: string, done: () => void) => void
}

function Composer({ box, isFirst, isDisabled, ask }: ComposerProps) {
  const [message, setMessage] = useState('')
  const text = message.trim()
  const send = (event: Event): void => {
    event.preventDefault()
    // What was typed meanwhile stays.
    if (!isDisabled && text !== '') ask(text, () => setMessage((now) => (now.trim() === text ? '' : now)))
  }
  return (
    <form class="card composer" onSubmit={send}>
      <textarea
        ref={box}
        aria-label="Question"
        placeholder={isFirst ? 'A question' : 'The next question of this conversation'}
        rows={3}
        value={message}
        onInput={({ currentTarget }) => setMessage(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event)
        }}
      />
      <button class="primary" disabled={isDisabled || text === ''}>
        Ask
      </button>
    </form>
  )
}

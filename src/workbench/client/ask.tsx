// One question, or a conversation, to a target: the answer as a report shows it.
import { useEffect, useRef, useState } from 'preact/hooks'
import { sectionName } from '../../domain/articles.ts'
import type { PageTurn } from '../../domain/conversations.ts'
import { Turn } from '../../page/answer.tsx'
import { Button, Icon } from '../../page/controls.tsx'
import { isComposing } from '../../page/keyboard.ts'
import { hrefOf, Untrusted } from '../../page/text.tsx'
import { searchFor } from '../../report/document.ts'
import type { Asked, TargetInfo, WorkbenchSession } from '../api.ts'
import { AddToSet } from './add-to-set.tsx'
import { api, runAddress } from './api.ts'
import { Empty, Frame, Problem } from './frame.tsx'
import { useAction, type ViewProps } from './hooks.ts'
import { firstTarget, TargetSelect } from './start-form.tsx'

export function Ask({ session }: ViewProps) {
  const { targets, isReadOnly } = session
  const { target, asked, waiting, error, ask, startOver } = useConversation(session)
  const [message, setMessage] = useState('')
  const box = useRef<HTMLTextAreaElement>(null)
  const missing = target === undefined ? 'Choose a target.' : target.problem
  const problem = isReadOnly ? 'This workbench is read-only.' : missing
  // The list of targets says it of the sandbox.
  const cost = target?.isFree === true ? '' : 'Each question costs a call, or more if one fails.'
  const text = message.trim()
  const isDisabled = problem !== null || waiting !== undefined || text === ''
  const send = (event: Event): void => {
    event.preventDefault()
    // A question that was refused stays in the box, and so does what was typed meanwhile.
    if (!isDisabled) ask(text, () => setMessage((now) => (now.trim() === text ? '' : now)))
  }
  return (
    <Frame
      session={session}
      title="Ask"
      keys={[
        { key: '/', does: 'write a question', press: () => box.current?.focus() },
        { key: 'Enter', does: 'send it (Shift+Enter: a new line)' },
      ]}
    >
      {asked.length === 0 && waiting === undefined ? (
        <Empty icon="search" title="Ask as a person would">
          The answer stands here with its article and the facts that differ.
        </Empty>
      ) : (
        <ConversationView session={session} asked={asked} waiting={waiting} />
      )}
      <Problem error={error} />
      <form class="box form composer" onSubmit={send}>
        <label class="field">
          <span>{asked.length === 0 ? 'A question' : 'The next question of this conversation'}</span>
          <textarea
            ref={box}
            class="input"
            rows={3}
            value={message}
            onInput={({ currentTarget }) => setMessage(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey && !isComposing(event)) send(event)
            }}
          />
        </label>
        <div class="line acts">
          <button class="button primary" disabled={isDisabled} aria-describedby="cost">
            Ask
          </button>
          <TargetSelect targets={targets} chosen={target} choose={startOver} />
          {asked.length === 0 ? null : (
            <Button
              disabled={waiting !== undefined}
              act={() => {
                startOver(target)
                setMessage('')
                box.current?.focus()
              }}
            >
              New conversation
            </Button>
          )}
          <small id="cost" class={problem === null ? '' : 'warn'}>
            <Untrusted text={problem ?? cost} max={300} />
          </small>
        </div>
      </form>
    </Frame>
  )
}

interface Conversation {
  readonly target: string | undefined
  readonly asked: readonly Asked[]
}

/** The tab keeps the conversation, so that it is there again after a look at another view. */
const STORED = 'assist-harness conversation'

function useConversation(session: WorkbenchSession) {
  const { targets } = session
  const [conversation, setConversation] = useState<Conversation>(() => {
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? '{"asked":[]}') as Conversation
    const isThere = stored.asked.length > 0 && targets.some(({ name }) => name === stored.target)
    return isThere ? stored : { target: firstTarget(session)?.name, asked: [] }
  })
  useEffect(() => sessionStorage.setItem(STORED, JSON.stringify(conversation)), [conversation])
  const { asked } = conversation
  const [waiting, setWaiting] = useState<string>()
  const asking = useAction()
  const target = targets.find(({ name }) => name === conversation.target)
  const ask = (message: string, done: () => void): void => {
    if (target === undefined) return
    const json = { target: target.name, conversation: asked.at(-1)?.conversation ?? null, message }
    asking.act(async () => {
      setWaiting(message)
      try {
        const answer = await (await api.ask.$post({ json })).json()
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

interface ConversationProps {
  readonly session: WorkbenchSession
  readonly asked: readonly Asked[]
  readonly waiting: string | undefined
}

function ConversationView({ session, asked, waiting }: ConversationProps) {
  const { sets, isReadOnly, articles } = session
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.lastElementChild?.scrollIntoView({ block: 'nearest' }), [asked, waiting])
  return (
    <section ref={box} class="box asked" aria-label="Conversation">
      {asked.map(({ conversation, turn }, index) => (
        <div key={`${conversation} ${index}`}>
          <Turn turn={turn} isCurrent={false} />
          <ArticlesOf turn={turn} run={articles} />
          {isReadOnly ? null : <AddToSet conversation={asked.slice(0, index + 1)} sets={sets} />}
        </div>
      ))}
      {waiting === undefined ? null : (
        <div class="turn">
          <h2>
            <Untrusted text={waiting} />
          </h2>
          <p class="quiet" role="status">
            Waiting for the answer…
          </p>
        </div>
      )}
    </section>
  )
}

interface ArticlesProps {
  readonly turn: PageTurn
  /** The run whose questions on an article a link leads to. */
  readonly run: string | null
}

/** The article that an answer likely comes from, or those nearest to a gap. */
function ArticlesOf({ turn: { articles }, run }: ArticlesProps) {
  if (articles === null) return null
  const [says, between] = articles.kind === 'gap' ? ['Nearest', ', '] : ['Likely source', '; nearer: ']
  const sections = articles.kind === 'gap' ? articles.nearest : [articles.source, articles.misfit]
  const found = sections.filter((section) => section !== null)
  if (found.length === 0) return null
  return (
    <p class="note">
      <Icon name="article" />
      <span>
        {says}:{' '}
        {found.map((section, index) => {
          const name = <Untrusted text={sectionName(section)} max={160} />
          const hash = hrefOf(searchFor('article', section.article))
          return (
            <>
              {index === 0 ? '' : between}
              {run === null ? name : <a href={`${runAddress(run)}${hash}`}>{name}</a>}
            </>
          )
        })}
      </span>
    </p>
  )
}

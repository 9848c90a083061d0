// One question, or a conversation, to a target: the answer as a report shows it.
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { sectionName } from '../../domain/articles.ts'
import type { PageTurn } from '../../domain/conversations.ts'
import { READING } from '../../page/acts.ts'
import { Turn } from '../../page/answer.tsx'
import { Icon } from '../../page/icons.tsx'
import { Untrusted } from '../../page/text.tsx'
import type { Asked, TargetInfo, WorkbenchSession } from '../api.ts'
import { AddToSet } from './add-to-set.tsx'
import { post, queryOf } from './api.ts'
import { Empty, Frame, Problem } from './frame.tsx'
import { useAction, type ViewProps } from './hooks.ts'
import { firstTarget, TargetSelect } from './start-form.tsx'

/** Sample questions, which the articles of the sandbox answer. */
const EXAMPLES = [
  'How do I set up the VPN?',
  'How many holidays do I get per year?',
  'Who do I tell when I am ill?',
]

export function Ask({ session }: ViewProps) {
  const { targets, sets, isReadOnly } = session
  const { target, asked, waiting, error, ask, startOver } = useConversation(session)
  const [message, setMessage] = useState('')
  const box = useRef<HTMLTextAreaElement>(null)
  const write = (text: string): void => {
    setMessage(text)
    box.current?.focus()
  }
  const missing = target === undefined ? 'Choose a target.' : (target.problem ?? undefined)
  const problem = isReadOnly ? 'This workbench is read-only.' : missing
  // The list of targets says it of the sandbox.
  const cost = target?.isSandbox === true ? '' : 'Each question costs a call, or more if one fails.'
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
        <Examples write={write} />
      ) : (
        <ConversationView asked={asked} waiting={waiting} sets={isReadOnly ? undefined : sets} />
      )}
      <Problem error={error} />
      <Composer
        box={box}
        message={message}
        setMessage={setMessage}
        isFirst={asked.length === 0}
        isDisabled={problem !== undefined || waiting !== undefined}
        ask={ask}
      >
        <TargetSelect targets={targets} chosen={target} choose={startOver} />
        {asked.length === 0 ? null : (
          <button
            type="button"
            class="button"
            disabled={waiting !== undefined}
            onClick={() => {
              startOver(target)
              write('')
            }}
          >
            New conversation
          </button>
        )}
        <small id="cost" class={problem === undefined ? '' : 'warn'}>
          <Untrusted text={problem ?? cost} max={300} />
        </small>
      </Composer>
    </Frame>
  )
}

const Examples = ({ write }: { readonly write: (text: string) => void }) => (
  <Empty
    icon="search"
    title="Ask as a person would"
    acts={
      <>
        {EXAMPLES.map((example) => (
          <button type="button" class="button" onClick={() => write(example)}>
            {example}
          </button>
        ))}
      </>
    }
  >
    The answer stands here with its article and the facts that differ. Begin with one of these:
  </Empty>
)

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

interface ConversationProps {
  readonly asked: readonly Asked[]
  readonly waiting: string | undefined
  /** Undefined where nothing can be added to a set. */
  readonly sets: readonly string[] | undefined
}

function ConversationView({ asked, waiting, sets }: ConversationProps) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.lastElementChild?.scrollIntoView({ block: 'nearest' }), [asked, waiting])
  return (
    <section ref={box} class="box asked" aria-label="Conversation">
      {asked.map(({ conversation, turn }, index) => (
        <div key={`${conversation} ${index}`}>
          <Turn turn={turn} acts={READING} changes={[]} isCurrent={false} />
          <ArticlesOf turn={turn} />
          {sets === undefined ? null : <AddToSet conversation={asked.slice(0, index + 1)} sets={sets} />}
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

/** The article that an answer likely comes from, or those nearest to a gap. */
function ArticlesOf({ turn: { articles } }: { readonly turn: PageTurn }) {
  if (articles === null) return null
  const sections =
    articles.kind === 'gap'
      ? articles.nearest
      : [articles.source, articles.misfit].filter((found) => found !== null)
  if (sections.length === 0) return null
  return (
    <p class="note">
      <Icon name="article" />
      <span>
        {articles.kind === 'gap' ? 'Nearest: ' : 'Likely source: '}
        {sections.map((section, index) => (
          <>
            {index === 0 ? '' : articles.kind === 'gap' ? ', ' : '; nearer to the question: '}
            <a href={`/articles${queryOf({ find: section.article })}`}>
              <Untrusted text={sectionName(section)} max={160} />
            </a>
          </>
        ))}
      </span>
    </p>
  )
}

interface ComposerProps {
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly message: string
  readonly setMessage: (change: (now: string) => string) => void
  readonly isFirst: boolean
  readonly isDisabled: boolean
  /** `done` is called after the answer; a question that was refused stays in the box. */
  readonly ask: (message: string, done: () => void) => void
  readonly children: ComponentChildren
}

function Composer({ box, message, setMessage, isFirst, isDisabled, ask, children }: ComposerProps) {
  const text = message.trim()
  const send = (event: Event): void => {
    event.preventDefault()
    // What was typed meanwhile stays.
    if (!isDisabled && text !== '') ask(text, () => setMessage((now) => (now.trim() === text ? '' : now)))
  }
  return (
    <form class="box composer" onSubmit={send}>
      <label class="field">
        <span>{isFirst ? 'A question' : 'The next question of this conversation'}</span>
        <textarea
          ref={box}
          class="input"
          rows={3}
          value={message}
          onInput={({ currentTarget: { value } }) => setMessage(() => value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event)
          }}
        />
      </label>
      <div class="acts">
        <button class="button primary" disabled={isDisabled || text === ''} aria-describedby="cost">
          Ask
        </button>
        {children}
      </div>
    </form>
  )
}

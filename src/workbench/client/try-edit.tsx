// "Try an edit": what a change of the articles will do to the answers of a run, before it is published.
import { useState } from 'preact/hooks'
import { isEmpty } from '../../report/document.ts'
import { ArticleView } from '../../page/article.tsx'
import { BlockView } from '../../page/blocks.tsx'
import { Button, Icon } from '../../page/controls.tsx'
import { download } from '../../page/reviews.ts'
import { Box } from '../../page/table.tsx'
import { Untrusted } from '../../page/text.tsx'
import type { TriedEdit } from '../api.ts'
import { api, readFolder } from './api.ts'
import { Problem } from './frame.tsx'
import { useAction, useData } from './hooks.ts'

interface Props {
  readonly id: string
  readonly run: string
}

/** An article with its text as the run knows it, and what an edit of the articles will change. */
export function WholeArticle({ id, run }: Props) {
  const { data, error } = useData(
    async () => (await api.article.$get({ query: { run, article: id } })).json(),
    [],
  )
  const fault = error && { title: id, sections: [], note: `The article cannot be read: ${error.message}` }
  return (
    <ArticleView id={id} whole={data ?? fault}>
      <TryEdit run={run} />
    </ArticleView>
  )
}

function TryEdit({ run }: { readonly run: string }) {
  const [tried, setTried] = useState<TriedEdit>()
  const trying = useAction()
  const attempt = (chosen: readonly File[]): void =>
    trying.act(async () => {
      setTried(undefined)
      const json = { run, files: await readFolder(chosen) }
      setTried(await (await api.rehearse.$post({ json })).json())
    })
  return (
    <>
      <Box block={{ title: 'Try an edit' }}>
        <div class="form">
          <p>See what an edit changes before you publish it. No call is made, and no article is changed.</p>
          <div class="line acts">
            <label class="button upload">
              <Icon name="upload" />
              Choose the changed folder
              <input
                class="off-screen"
                type="file"
                {...FOLDER}
                disabled={trying.isBusy}
                onChange={({ currentTarget: { files } }) => attempt([...(files ?? [])])}
              />
            </label>
          </div>
          <Problem error={trying.error} />
        </div>
      </Box>
      {tried === undefined ? null : <WhatChanges tried={tried} />}
    </>
  )
}

/** The types of Preact do not know it. */
const FOLDER = { webkitdirectory: true }

const WhatChanges = ({ tried: { says, blocks, affected } }: { readonly tried: TriedEdit }) => (
  <>
    <Box block={{ title: 'What the edit changes' }}>
      <div class="form">
        <p role="status">
          <Untrusted text={says} max={300} />
        </p>
        {affected === null ? null : (
          <div class="line acts">
            <Button act={() => download('affected.csv', affected)}>
              <Icon name="upload" class="flip" />
              affected.csv
            </Button>
            <small>
              The questions to ask again after you have published it: choose this file at “New run”.
            </small>
          </div>
        )}
      </div>
    </Box>
    {blocks
      .filter((block) => !isEmpty(block))
      .map((block) => (
        <BlockView block={block} />
      ))}
  </>
)

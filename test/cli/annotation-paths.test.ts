// Paths for annotations: below the working directory or none.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { annotationPaths } from '../../src/cli/annotation-paths.ts'

const root = join('/', 'work', 'repository')

test.each([
  ['../../sets/vpn.csv', 'sets/vpn.csv'],
  ['../../..dots/vpn.csv', '..dots/vpn.csv'],
  ['../../../elsewhere/vpn.csv', undefined],
  [undefined, undefined],
])('%j from the run folder is %j', (source, path) => {
  const dataset = { path: 'vpn.csv', digest: '', turns: 1, ...(source === undefined ? {} : { source }) }
  expect(annotationPaths(join(root, 'reports', 'run'), { datasets: [dataset] }, root)).toEqual([path])
})

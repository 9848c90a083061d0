// Protects the generated reference pages: they match this checkout's option table and schema (npm run
// build:package makes them).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeReference } from '../../src/build/reference.ts'
import { projectRoot } from '../support/program.ts'

test.each([...makeReference()])('docs/reference/%s is current', (name, text) => {
  expect(readFileSync(join(projectRoot, 'docs/reference', name), 'utf8')).toBe(text)
  expect(text.match(/^.*\| +\|$/gm), 'rows without a meaning').toBeNull()
})

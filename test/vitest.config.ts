// Vitest's settings. Tests use real processes and ports, so files run in few workers.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Many whole runs, servers and registries: `npm run test:long`, so that `npm test` stays short. CI runs both. */
const LONG = [
  'test/build/{containers,package}.test.ts',
  'test/cli/api-key/key-leak.test.ts',
  'test/cli/{docs,kills,limiter-redis,networks,open,stalls,storage}.test.ts',
  'test/cli/pipelines/*.test.ts',
  'test/dataset/properties.test.ts',
  'test/page/page.test.ts',
  'test/properties/*.test.ts',
  'test/prove/gate.test.ts',
  'test/runner/find-limit.test.ts',
  'test/scenarios/processes.test.ts',
  'test/workbench/*.test.ts',
]

/** Starts first what takes longest, and waits more than it computes, also in a fresh clone: long tests, then scenarios. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number =>
      project.name === 'long' ? 0 : moduleId.includes('/test/scenarios/') ? 1 : 2
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}

const shared = {
  // A worker does not load modules again for each file: files leave nothing behind that others see.
  isolate: false,
  setupFiles: ['test/support/property-seed.ts'],
  // Only a test that hangs meets it: the longest takes some ten seconds, and seven times as long where eight
  // processes share a core.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Each command at a time is one more process that has to load the program.
  maxConcurrency: 2,
}

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    // One more than cores, because many tests wait for a pace or a page.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // One project for all: what one has transformed, another would transform again.
    projects: [
      {
        test: {
          ...shared,
          name: 'short',
          include: ['test/**/*.test.ts'],
          // The other properties play a fifth of their worlds here: see `worlds` there.
          exclude: LONG.map((pattern) => pattern.replace('properties/*', 'properties/{decided,damage}')),
          provide: { isLong: false },
        },
      },
      { test: { ...shared, name: 'long', include: LONG, provide: { isLong: true } } },
    ],
  },
})

// Vitest's settings. Tests use real processes and ports, so files run in few workers.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests that start the built program, which runs in its own processes. */
const PROGRAM = 'test/{cli,recorded,scenarios}/**/*.test.ts'
/** Tests that observe the process's own streams: each file has its own process. */
const ALONE = 'test/library/**/*.test.ts'
/** Tests that run a server in their own process: apart from the tests that only compute. */
const SERVING = ['test/sandbox/**/*.test.ts']

/** Many whole runs, servers and registries: `npm run test:long`, so that `npm test` stays short. CI runs both. */
const LONG = [
  'test/build/package.test.ts',
  'test/cli/api-key/key-leak.test.ts',
  'test/cli/{command-line,docs,https,kills,limiter-redis,run-folders,storage}.test.ts',
  'test/cli/pipelines/*.test.ts',
  'test/dataset/properties.test.ts',
  'test/page/page.test.ts',
  'test/prove/gate.test.ts',
  'test/runner/find-limit.test.ts',
]

const shared = {
  setupFiles: ['test/support/property-seed.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  maxConcurrency: 2,
}

// With `isolate: false` a worker does not load modules again for each file.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    // One more than cores, because many tests wait for a pace or a page.
    maxWorkers: 3,
    projects: [
      { test: { ...shared, name: 'alone', include: [ALONE] } },
      { test: { ...shared, name: 'serving', include: SERVING, exclude: LONG, isolate: false } },
      { test: { ...shared, name: 'program', include: [PROGRAM], exclude: LONG, isolate: false } },
      { test: { ...shared, name: 'long', include: LONG, isolate: false } },
      {
        test: {
          ...shared,
          name: 'values',
          include: ['test/**/*.test.ts'],
          exclude: [PROGRAM, ALONE, ...SERVING, ...LONG],
          // Values in, values out: files do not affect each other.
          isolate: false,
          pool: 'threads',
        },
      },
    ],
  },
})

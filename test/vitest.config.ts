// Vitest's settings: tests drive real processes and ports, so files run in few workers.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Those that start the built program: what happens in them happens in processes of its own. */
const PROGRAM = 'test/{cli,recorded,scenarios}/**/*.test.ts'
/** Those that hear what is said on the process's own streams: each file has a process of its own. */
const ALONE = 'test/library/**/*.test.ts'
/** Those that serve within the test's own process: apart from those that only reckon. */
const SERVING = ['test/sandbox/**/*.test.ts']

/** Whole runs many times over, servers and registries: `npm run test:long`, so that `npm test` stays short. CI runs both. */
const LONG = [
  'test/build/package.test.ts',
  'test/cli/api-key/key-leak.test.ts',
  'test/cli/{compare-demo,find-limit,rejected}.test.ts',
  'test/cli/{command-line,compare,history,ledger}.test.ts',
  'test/cli/docs.test.ts',
  'test/cli/{knowledge-base,limiter-redis,load-report,machine-reports}.test.ts',
  'test/cli/{kills,load,reviews,run-baseline}.test.ts',
  'test/cli/{storage,targets,unwritten}.test.ts',
  'test/cli/pipelines/*.test.ts',
  'test/dataset/laws.test.ts',
  'test/page/page.test.ts',
  'test/prove/gate.test.ts',
]

const shared = {
  setupFiles: ['test/support/property-seed.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  maxConcurrency: 2,
}

// A worker that stays (`isolate: false`) need not load for each file again what the last one has loaded.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    // One more than cores: many tests wait, for a pace or a page.
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
          // Values in, values out: nothing of one file reaches the next.
          isolate: false,
          pool: 'threads',
        },
      },
    ],
  },
})

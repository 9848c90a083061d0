// The options of `sandbox`, apart from its code, which only that command loads.
import type { OptionHelp } from './option-spec.ts'

export const DEFAULT_PORT = 8787

export const SANDBOX_OPTIONS = {
  port: {
    kind: 'text',
    placeholder: 'N',
    describe: 'Port to listen on, 0 for a free one',
    default: String(DEFAULT_PORT),
    example: '--port 0',
  },
  host: {
    kind: 'text',
    placeholder: 'ADDRESS',
    describe: 'Address to listen on',
    default: '127.0.0.1',
    example: '--host 0.0.0.0',
  },
  kb: {
    kind: 'text',
    placeholder: 'DIR',
    describe: 'Folder of Markdown articles to answer from',
    default: 'the shipped knowledge base',
    example: '--kb articles',
  },
  config: {
    kind: 'text',
    placeholder: 'FILE',
    describe: 'YAML: keys, limits, quotas, latency, faults',
    example: '--config sandbox.yaml',
  },
  watch: {
    kind: 'flag',
    describe: 'Read the knowledge base again when it changes',
    example: '--watch',
  },
  seed: {
    kind: 'text',
    placeholder: 'N',
    describe: 'Of all faults and latencies',
    default: '1',
    example: '--seed 7',
  },
  log: { kind: 'flag', describe: 'A line a request', example: '--log' },
} as const satisfies Record<string, OptionHelp>

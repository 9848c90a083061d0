// The options of `sandbox`, apart from its code, which only that command loads.
import type { Argv } from 'yargs'

export const DEFAULT_PORT = 8787

export function declareSandboxOptions(yargs: Argv): Argv {
  const text = { type: 'string', requiresArg: true } as const
  return yargs
    .option('port', {
      ...text,
      describe: 'Port to listen on, 0 for a free one [default: 8787]; e.g. --port 0',
    })
    .option('host', { ...text, describe: 'Address to listen on [default: 127.0.0.1]; e.g. --host 0.0.0.0' })
    .option('kb', {
      ...text,
      describe: 'Folder of Markdown articles, or question,answer CSV [default: shipped]; e.g. --kb articles',
    })
    .option('config', {
      ...text,
      describe: 'YAML: keys, limits, quotas, latency, faults; e.g. --config sandbox.yaml',
    })
    .option('state', {
      ...text,
      describe: 'File in which ledger and conversations outlive the process; e.g. --state sandbox.lmdb',
    })
    .option('watch', {
      type: 'boolean',
      describe: 'Read the knowledge base again when it changes; e.g. --watch',
    })
    .option('seed', { ...text, describe: 'Of all faults and latencies [default: 1]; e.g. --seed 7' })
    .option('log', { type: 'boolean', describe: 'A line a request; e.g. --log' })
    .example('$0 sandbox --port 0 --watch --kb articles', 'Edit an article and ask again')
}

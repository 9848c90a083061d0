// What `sandbox` takes.
import { SANDBOX_OPTIONS } from '../options/sandbox-options.ts'
import type { Declaration } from './declaration.ts'

export const sandboxDeclaration: Declaration = {
  options: Object.entries(SANDBOX_OPTIONS),
  examples: [['sandbox --port 0 --watch --kb articles', 'Edit an article and ask again']],
  act: async (typed) => {
    const { sandbox } = await import('../commands/sandbox.ts')
    return sandbox(typed)
  },
}

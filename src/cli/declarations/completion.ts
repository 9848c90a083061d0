// What `completion` takes.
import type { Declaration } from './declaration.ts'

export const completionDeclaration: Declaration = {
  options: [],
  examples: [
    [
      'completion bash > ~/.local/share/bash-completion/completions/assist-harness',
      'For every bash from now on',
    ],
    ['completion zsh > ~/.zfunc/_assist-harness', 'For zsh, with ~/.zfunc in $fpath before compinit'],
  ],
  act: async (typed) => {
    const { completion } = await import('../commands/completion.ts')
    return completion(String(typed['shell']))
  },
}

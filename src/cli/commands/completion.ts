// `completion`: a script for a shell, made of what the commands declare. It runs without us: no Tab starts Node.
import { bashCompletion } from '../completion/bash.ts'
import { completedCommands } from '../completion/completed.ts'
import { zshCompletion } from '../completion/zsh.ts'
import { EXIT } from '../exit-codes.ts'
import { printForPrograms } from '../output.ts'
import { UsageError } from '../usage-error.ts'

const SHELLS = { bash: bashCompletion, zsh: zshCompletion }

/** Returns the exit code. Throws UsageError for any other shell. */
export async function completion(shell: string): Promise<number> {
  if (shell !== 'bash' && shell !== 'zsh')
    throw new UsageError(`there is no completion for ${shell}; name bash or zsh`)
  await printForPrograms(SHELLS[shell](await completedCommands()))
  return EXIT.ok
}

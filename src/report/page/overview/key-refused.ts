// Whether a refused key ended the run: what it refused has no outcome, and so is no error of the figures.
import type { Summary } from '../../../domain/summary.ts'

/** What the harness exits with for this reason alone. */
const EXIT_CODE = 3

export const isKeyRefused = ({ exitCode }: Pick<Summary, 'exitCode'>): boolean => exitCode === EXIT_CODE

// Whether a process is there, by its number.

/** Another user's process counts: it is there, only not ours to signal. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

// Exit codes that no run's verdict gives.

export const EXIT = { ok: 0, usage: 2, fault: 5 } as const

/** Calls another service's address, which notices when the calls stop. */

const deadlineMs = 10_000;

/** @throws Error if the service cannot be reached or answers with an error */
export async function callHeartbeat(url: string): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(deadlineMs) });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the watching service answered ${answer.status}`);
}

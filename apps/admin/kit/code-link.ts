/** The address that opens a date's page with a code. */
export function codeLink(event: { id: string }, code: string): string {
  return `${location.origin}/event/${encodeURIComponent(event.id)}?code=${encodeURIComponent(code)}`;
}

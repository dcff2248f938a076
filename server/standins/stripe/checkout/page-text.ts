/** Escapes text for HTML, and formats amounts in Italian. */

export function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** `25,00 €` with a non-breaking space; amounts are in the currency's smallest unit. */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('it-IT', {
    style: 'currency',
    currency,
    useGrouping: 'always',
  });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

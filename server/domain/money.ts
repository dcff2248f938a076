/** Money is integer cents of euro; here is how it is added and spoken. */

/** '25,00 €' with a no-break space and grouping from a thousand up; a missing price is 'N/D' (specification §5). */
export function formatEuro(cents: number | null | undefined): string {
  return cents === null || cents === undefined ? 'N/D' : euro.format(cents / 100);
}

const euro = new Intl.NumberFormat('it-IT', { style: 'currency', currency: 'EUR', useGrouping: 'always' });

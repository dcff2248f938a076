/** Splits VAT out of an amount paid: prices are gross, and the parts always sum to the whole. */

interface VatSplit {
  net_cents: number;
  vat_cents: number;
}

/**
 * "Scorporo": the tax in a gross amount is amount × rate / (100 + rate), rounded to the nearest
 * cent, half a cent up; the rest is the taxable part. A refund splits like its payment. `percent`
 * null: exempt, excluded or not subject.
 */
export function splitVat(gross_cents: number, percent: number | null): VatSplit {
  if (percent === null) return { net_cents: gross_cents, vat_cents: 0 };
  const size = Math.abs(gross_cents);
  const whole = 100 + percent;
  // In integers: (2 × size × percent + whole) / (2 × whole), rounded down, is the nearest cent.
  const twice = 2 * size * percent + whole;
  const tax = (twice - (twice % (2 * whole))) / (2 * whole);
  const vat_cents = gross_cents < 0 ? 0 - tax : tax;
  return { net_cents: gross_cents - vat_cents, vat_cents };
}

/** "10 %", "esente o escluso" */
export function vatWords(percent: number | null): string {
  return percent === null ? 'esente o escluso' : `${percent} %`;
}

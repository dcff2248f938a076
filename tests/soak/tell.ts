/** Says in words how a soak ended. */
import type { SoakReport } from './soak.ts';

export function tell({ counts, growth, faults }: SoakReport): void {
  for (const [what, times] of [...counts].toSorted())
    console.log(`${String(times).padStart(9)} ${what}`);
  const { megabytes, files, megabytesPerMinute, filesPerMinute } = growth;
  console.log(
    `Over the last ${growth.minutes.toFixed(1)} minutes of the process that lived longest: ${megabytes.toFixed(0)} MB of memory at the end, ` +
      `${signed(megabytesPerMinute)} MB a minute; ${files} open files, ${signed(filesPerMinute)} a minute.`,
  );
  for (const fault of faults.slice(0, 50)) console.log(`FAULT ${fault}`);
  console.log(
    faults.length === 0
      ? 'Nothing was lost, and no rule was broken at any time.'
      : `${faults.length} faults.`,
  );
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(2)}`;
}

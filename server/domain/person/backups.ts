/** How long an erased person stays in backups that were made before. */
import type { Keeping } from '#server/domain/backup.ts';

/** The age of the oldest automatic backup, in days. */
function oldestCopyDays({ hours, days, weeks }: Keeping): number {
  return Math.max(Math.ceil(hours / 24), days, weeks * 7) + 1;
}

export function keptWords(keep: Keeping): string {
  return `Le copie di sicurezza fatte prima della cancellazione contengono ancora i dati, e non si cambiano: quelle automatiche spariscono da sole entro ${oldestCopyDays(keep)} giorni. Se una viene ripristinata, la cancellazione si ripete da sola, finché l’elenco delle cancellazioni sta accanto alle copie. Quelle fatte a mano o portate altrove vanno distrutte a mano.`;
}

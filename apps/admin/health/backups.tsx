/**
 * Backups on the health screen: the last verified one, its problems, and a button for a new one.
 */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { makeBackup, readBackups } from '#server/contract/backups.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { formatAgo, formatSpan, useNow } from '#apps/admin/kit/clock.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { sizeText } from '#apps/admin/kit/progress.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { TechnicalDetails } from '#apps/admin/kit/page/technical-details.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Report = ReplyOf<typeof readBackups>;

export function Backups() {
  const backups = useEndpoint(readBackups, {}, { refetchInterval: 5_000 });
  return (
    <>
      <div className={panelStyles.title}>
        <h2 id="backups">Copie di sicurezza</h2>
        {backups.data !== undefined && <Ask running={backups.data.running} />}
      </div>
      <Loaded query={backups}>{(data) => <Told report={data} />}</Loaded>
    </>
  );
}

function Ask({ running }: { running: boolean }) {
  const change = useChange();
  const mayMake = useMay('make_backups');
  if (running) return <span className={textStyles.soft}>Copia in corso…</span>;
  if (!mayMake) return null;
  return (
    <AsyncButton className={buttonStyles.small} onClick={() => change(makeBackup, {})}>
      Fai una copia ora
    </AsyncButton>
  );
}

function Told({ report }: { report: Report }) {
  const now = useNow(30_000);
  const { verified, failed, too_old, folder_fault } = report;
  return (
    <>
      {folder_fault !== null && folder_fault !== failed?.says && (
        <Notice tone="bad" role="alert">
          {folder_fault}
        </Notice>
      )}
      {too_old && (
        <Notice tone="bad" role="alert">
          Da più di un giorno non c’è una copia verificata: se il disco si rompe, si perde quello
          che è successo da allora.
        </Notice>
      )}
      {failed !== null && (
        <Notice tone="bad" role="alert">
          L’ultima copia non è riuscita, {formatAgo(failed.at, now)}. {failed.says}
        </Notice>
      )}
      <p>
        <StateBadge {...lightOf(report)} />{' '}
        {verified === null
          ? 'Nessuna copia è stata ancora verificata: la prima si fa un’ora dopo l’avvio.'
          : `Ultima copia verificata: ${formatAgo(verified.made_at, now)}, ${sizeText(verified.size)}, ${verified.sealed ? 'cifrata' : 'non cifrata'}.`}
      </p>
      <Rhythm report={report} now={now} />
      <Advice report={report} />
    </>
  );
}

/** How often a copy is made, what all of them take, and what is in none of them yet. */
function Rhythm({ report, now }: { report: Report; now: number }) {
  const { last, loses_since, every_ms, files } = report;
  if (last === null) return null;
  return (
    <p className={textStyles.soft}>
      Ultima copia: {formatAgo(last.made_at, now)}, {sizeText(last.size)}.{' '}
      {loses_since === null
        ? 'Da allora non è successo niente.'
        : `Se il disco si rompe adesso, si perde quello che è successo da allora. Finché succede qualcosa se ne fa una ogni ${formatSpan(every_ms)}.`}{' '}
      {files && `In tutto ${formatCount(files.count, 'copia', 'copie')}, ${sizeText(files.size)}.`}
    </p>
  );
}

function lightOf({ verified, too_old, beside_house }: Report): Parameters<typeof StateBadge>[0] {
  if (too_old) return { tone: 'bad', icon: 'warning', word: 'Troppo vecchia' };
  if (verified === null) return { tone: 'neutral', icon: 'clock', word: 'Non ancora' };
  if (beside_house) return { tone: 'warn', icon: 'warning', word: 'Sullo stesso disco' };
  return { tone: 'good', icon: 'check', word: 'Verificata' };
}

/** Ways to make the copies safer. */
function Advice({ report: { beside_house, encrypted, folder } }: { report: Report }) {
  return (
    <>
      {beside_house && (
        <p className={textStyles.soft}>
          Le copie sono sullo stesso disco del botteghino: se si rompe quello, si perdono anche
          loro. Tienile su un altro disco, o portane una ogni giorno altrove.
        </p>
      )}
      {!encrypted && (
        <p className={textStyles.soft}>
          Le copie non sono cifrate: chi ha il file legge anche i dati di chi ha comprato.
        </p>
      )}
      <TechnicalDetails>
        Cartella: <code>{folder}</code>. <code>BACKUP_FOLDER</code> ne indica un’altra,{' '}
        <code>BACKUP_PASSPHRASE</code> o <code>BACKUP_RECIPIENT</code> le cifra. Per controllarne
        una: <code>npm run admin -- verify-backup FILE</code>.
      </TechnicalDetails>
    </>
  );
}

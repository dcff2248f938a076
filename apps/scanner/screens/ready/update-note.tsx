/**
 * Offers a new version of the app; it insists only where the server no longer accepts this one,
 * and even then scans are still sent.
 */
import { useEffect, useState } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { checkForUpdateNow, useUpdate, type UpdateCheck } from '#apps/scanner/device/update.ts';
import { Note } from '#apps/scanner/screens/parts.tsx';

const tooOld =
  'Questa versione è troppo vecchia: l’elenco dei biglietti non si aggiorna più. Le letture partono comunque.';

const foundWords: Record<Exclude<UpdateCheck, 'not_installed'>, string> = {
  coming: 'La versione nuova sta arrivando: fra poco tocca di nuovo «Aggiorna».',
  none: 'Una versione nuova non c’è ancora: riprova fra poco, o chiedi in ufficio.',
  no_line: 'Non c’è linea: riprova quando torna.',
};

export function UpdateNote({ isRequired }: { isRequired: boolean }) {
  const update = useUpdate();
  const [found, setFound] = useState<keyof typeof foundWords | null>(null);
  // A required update is looked for without a tap.
  useEffect(() => {
    if (isRequired) void checkForUpdateNow();
  }, [isRequired]);
  if (!update && !isRequired) return null;
  async function check() {
    setFound(null);
    const answer = await checkForUpdateNow();
    if (answer === 'not_installed') location.reload();
    else setFound(answer);
  }
  return (
    <Note
      tone={isRequired ? 'bad' : 'info'}
      icon="refresh"
      data-update={isRequired ? 'required' : 'offered'}
      role={isRequired ? 'alert' : undefined}
      action={
        <AsyncButton variant="primary" onClick={update ?? check}>
          Aggiorna
        </AsyncButton>
      }
    >
      <output>
        {isRequired ? tooOld : 'È pronta una versione nuova.'}
        {found !== null && !update && ` ${foundWords[found]}`}
      </output>
    </Note>
  );
}

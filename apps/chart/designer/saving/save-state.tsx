/** The saving state in a few words beside the chart's name. */
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { Button } from '#apps/chart/designer/kit/controls.tsx';
import type { SessionState } from '#apps/chart/designer/line/session.ts';
import { useSession } from './use-session.ts';
import { tellHour } from '#apps/chart/designer/line/when.ts';

function wordsOf({ save, savedAt, isDraft, isKept, chart }: SessionState): string {
  if (save === 'saving') return 'Sto salvando…';
  if (save === 'changed') return 'Modifiche da salvare';
  if (save === 'offline')
    return isKept
      ? 'Senza linea: le modifiche restano in questo browser'
      : 'Senza linea: non chiudere la pagina';
  if (save === 'ended')
    return isKept
      ? 'Sessione finita: accedi di nuovo, le modifiche restano in questo browser'
      : 'Sessione finita: accedi di nuovo in un’altra scheda, poi premi «Riprova»';
  if (save === 'conflict') return 'Qualcun altro ha salvato questa pianta';
  if (save === 'refused') return 'Il server non accetta questa pianta';
  if (!chart) return 'Pianta nuova';
  if (!isDraft) return 'Pubblicata';
  return savedAt ? `Bozza salvata alle ${tellHour(savedAt)}` : 'Bozza';
}

const grave = new Set(['offline', 'ended', 'conflict', 'refused']);

export function SaveStateLine() {
  const { session, studio, openDialog } = useDesigner();
  const state = useSession((all) => all);
  const readOnly = useStudio(studio, (all) => all.readOnly);
  if (readOnly) return <span className="bsd-top-state">Sola lettura</span>;
  return (
    <>
      <span
        className="bsd-top-state"
        role="status"
        title={wordsOf(state)}
        data-tone={grave.has(state.save) ? 'bad' : undefined}
      >
        {wordsOf(state)}
      </span>
      {(state.save === 'offline' || state.save === 'ended') && (
        <Button look="plain" onPress={() => void session.save()}>
          Riprova
        </Button>
      )}
      {state.conflict && <Button onPress={() => openDialog('conflict')}>Scegli</Button>}
    </>
  );
}

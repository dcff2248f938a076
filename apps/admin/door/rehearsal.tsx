/** One rehearsal: its phones, its doors, the sheet of codes, and the verdicts given so far. */

import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router-dom';
import { addressOf, type ReplyOf } from '#server/contract/endpoint.ts';
import {
  closeRehearsal,
  downloadSheet,
  makeRehearsal,
  readRehearsal,
  turnRehearsal,
} from '#server/contract/door/rehearsals.ts';
import { rehearsalPhases, type RehearsalPhase } from '#server/domain/door/rehearsal.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { RehearsalCards } from './rehearsal-cards.tsx';
import { RehearsalPhones } from './rehearsal-phones.tsx';
import { useAct, useMay } from '#apps/admin/kit/session/session.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './rehearsal.module.css';

type Rehearsal = ReplyOf<typeof readRehearsal>;

export function RehearsalScreen() {
  const { eventId } = useParams() as { eventId: string };
  const rehearsal = useEndpoint(readRehearsal, { params: { eventId } }, { refetchInterval: 5_000 });
  return (
    <>
      <BackLink to="/door/rehearsals">Prova generale</BackLink>
      <Loaded query={rehearsal}>{(data) => <OneRehearsal rehearsal={data} />}</Loaded>
    </>
  );
}

function OneRehearsal({ rehearsal }: { rehearsal: Rehearsal }) {
  const client = useQueryClient();
  const mayChange = useMay(makeRehearsal.who);
  const isOpen = rehearsal.closed_at === null;
  const adopt = (next: Rehearsal) => {
    client.setQueryData(keyOf(readRehearsal, { params: { eventId: next.event_id } }), next);
    void client.invalidateQueries();
  };
  return (
    <>
      <PageTitle title={rehearsal.title}>
        {isOpen ? (
          <StateBadge tone="good" icon="check" word="Aperta" />
        ) : (
          <Badge icon="lock">Chiusa</Badge>
        )}
        <a
          className="ui-button"
          href={addressOf(downloadSheet, { eventId: rehearsal.event_id })}
          download
        >
          <Icon name="print" /> Foglio dei codici (PDF)
        </a>
      </PageTitle>
      {rehearsal.closed_at === null ? (
        <p className={textStyles.soft}>
          Preparata il {formatListDate(rehearsal.created_at)}. I telefoni la cancellano da soli il{' '}
          {formatListDate(rehearsal.wipe_at)}.
        </p>
      ) : (
        <Notice icon="lock">
          Chiusa il {formatListDate(rehearsal.closed_at)}: i telefoni la tolgono alla prossima
          connessione, e quello che hanno letto arriva ancora.
        </Notice>
      )}
      <div className={`${panelStyles.panels} ${styles.panels}`}>
        <RehearsalPhones rehearsal={rehearsal} mayChange={mayChange && isOpen} />
        <Doors rehearsal={rehearsal} mayChange={mayChange && isOpen} onTurned={adopt} />
        {mayChange && <Ending rehearsal={rehearsal} onClosed={adopt} />}
      </div>
      <RehearsalCards cards={rehearsal.cards} phase={rehearsal.phase} />
    </>
  );
}

const phaseWords: Record<RehearsalPhase, { word: string; hint: string }> = {
  open: { word: 'Aperte', hint: 'Si entra, come la sera dello spettacolo.' },
  before: { word: 'Non ancora aperte', hint: 'Ogni biglietto buono dice NON ANCORA.' },
  after: { word: 'Già chiuse', hint: 'Ogni biglietto buono dice INGRESSO CHIUSO.' },
};

interface DoorsProps {
  rehearsal: Rehearsal;
  mayChange: boolean;
  onTurned: (next: Rehearsal) => void;
}

function Doors({ rehearsal, mayChange, onTurned }: DoorsProps) {
  const act = useAct();
  const turn = async (phase: RehearsalPhase) =>
    onTurned(
      await act(turnRehearsal, { params: { eventId: rehearsal.event_id }, body: { phase } }),
    );
  return (
    <Panel aria-labelledby="doors-title">
      <h2 id="doors-title">Porte</h2>
      <p>
        Adesso: <b>{phaseWords[rehearsal.phase].word}</b>. {phaseWords[rehearsal.phase].hint}
      </p>
      {mayChange && (
        <fieldset className={formStyles.segments}>
          <legend className="visually-hidden">Porte della prova</legend>
          {rehearsalPhases.map((phase) => (
            <AsyncButton
              key={phase}
              className={buttonStyles.small}
              aria-pressed={phase === rehearsal.phase}
              onClick={() => turn(phase)}
            >
              {phaseWords[phase].word}
            </AsyncButton>
          ))}
        </fieldset>
      )}
      <p className={textStyles.soft}>
        L’orario vale per tutto l’evento: dopo averlo cambiato aspetta che i telefoni si aggiornino,
        poi funziona anche senza rete.
      </p>
    </Panel>
  );
}

interface EndingProps {
  rehearsal: Rehearsal;
  onClosed: (next: Rehearsal) => void;
}

function Ending({ rehearsal, onClosed }: EndingProps) {
  const act = useAct();
  const navigate = useNavigate();
  return (
    <Panel aria-labelledby="ending-title">
      <h2 id="ending-title">Da capo, o fine</h2>
      <p>
        Ricominciare prepara la stessa prova con codici nuovi e con gli stessi telefoni. Il foglio
        va ristampato.
      </p>
      <div className={buttonStyles.actions}>
        <AskButton
          label="Ricomincia…"
          title="Ricominciare da capo?"
          confirmLabel="Ricomincia"
          text={
            <p>
              I codici cambiano: il foglio di prima non vale più. Gli ingressi di prova ripartono da
              zero.
            </p>
          }
          onConfirm={async () => {
            const made = await act(makeRehearsal, { body: { replaces: rehearsal.event_id } });
            await navigate(`/door/rehearsals/${encodeURIComponent(made.event_id)}`);
          }}
        />
        {rehearsal.closed_at === null && (
          <AskButton
            label="Chiudi la prova…"
            title="Chiudere la prova?"
            danger
            confirmLabel="Chiudi la prova"
            text={
              <p>
                I telefoni la tolgono alla prossima connessione. Quello che hanno letto senza rete
                arriva ancora.
              </p>
            }
            onConfirm={async () =>
              onClosed(await act(closeRehearsal, { params: { eventId: rehearsal.event_id } }))
            }
          />
        )}
      </div>
    </Panel>
  );
}

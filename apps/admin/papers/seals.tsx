/** The seals of an event from a recognised system: missing ones, imports, undoing an import. */
import { useParams } from 'react-router-dom';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readSeals, undoSeals } from '#server/contract/papers.ts';
import { needsSeals, regimeNames } from '#server/domain/papers/regime.ts';
import { formatCount, formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { ImportSeals } from './import-seals.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Seals = ReplyOf<typeof readSeals>;

export function SealsScreen() {
  const { eventId } = useParams() as { eventId: string };
  const seals = useEndpoint(readSeals, { params: { eventId } }, { refetchInterval: 30_000 });
  return (
    <Loaded query={seals}>
      {(data) => (
        <>
          <Standing seals={data} eventId={eventId} />
          <Missing seals={data} />
          <Imports seals={data} eventId={eventId} />
        </>
      )}
    </Loaded>
  );
}

function Standing({ seals, eventId }: { seals: Seals; eventId: string }) {
  const { regime, tickets, sealed } = seals;
  return (
    <Panel wide>
      <div className={panelStyles.title}>
        <h2>Sigilli fiscali</h2>
        <ImportSeals eventId={eventId} />
      </div>
      {needsSeals(seals) ? (
        <p>
          <b>{sealed.toLocaleString('it-IT')}</b> biglietti validi su{' '}
          <b>{tickets.toLocaleString('it-IT')}</b> hanno il sigillo della biglietteria esterna.
        </p>
      ) : (
        <Notice tone="warn" icon="info">
          Certificazione degli incassi: <b>{regimeNames[regime].toLowerCase()}</b>. I sigilli si
          vedono solo dove è indicata la biglietteria esterna.{' '}
          <Link to={`/events/${encodeURIComponent(eventId)}/edit`}>Impostazioni dell’evento</Link>
        </Notice>
      )}
      <p className={textStyles.soft}>
        Il sigillo lo calcola il sistema riconosciuto: qui si conserva e si stampa, non si emette.
      </p>
    </Panel>
  );
}

function Missing({ seals: { regime, tickets, missing, first_missing } }: { seals: Seals }) {
  if (!needsSeals({ regime })) return null;
  if (missing === 0)
    return (
      <Notice tone="good">
        {tickets === 0 ? 'Non ci sono ancora biglietti validi.' : 'Non manca nessun sigillo.'}
      </Notice>
    );
  return (
    <Panel wide aria-labelledby="missing-seals">
      <h2 id="missing-seals">
        Senza sigillo <span className={textStyles.soft}>{missing.toLocaleString('it-IT')}</span>
      </h2>
      <Table cards columns={['Posto', 'Tipo', 'Ordine']}>
        <tbody>
          {first_missing.map((ticket) => (
            <tr key={ticket.ticket_id}>
              <th scope="row">{ticket.seat}</th>
              <td>{ticket.type_label}</td>
              <td>
                <Link className={textStyles.code} to={`/orders/${ticket.order_id}`}>
                  {ticket.order_number}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      {missing > first_missing.length && (
        <p className={textStyles.soft}>
          E altri {(missing - first_missing.length).toLocaleString('it-IT')}.
        </p>
      )}
    </Panel>
  );
}

function Imports({ seals: { imports }, eventId }: { seals: Seals; eventId: string }) {
  const change = useChange();
  if (imports.length === 0) return null;
  const last = imports.find(({ undone_at }) => undone_at === null);
  return (
    <Panel wide aria-labelledby="seal-imports">
      <h2 id="seal-imports">Importazioni</h2>
      <Table
        cards
        columns={[
          'Quando',
          { number: 'Sigilli' },
          { number: 'Righe escluse' },
          { hidden: 'Azioni' },
        ]}
      >
        <tbody>
          {imports.map((made) => (
            <tr key={made.import_id}>
              <th scope="row">
                {formatListDate(made.created_at)}
                <SecondLine>{made.actor}</SecondLine>
              </th>
              <td className={tableStyles.number}>{made.seals.toLocaleString('it-IT')}</td>
              <td className={tableStyles.number}>{made.left_out.toLocaleString('it-IT')}</td>
              <td>
                {made.undone_at !== null && (
                  <span className={textStyles.soft}>
                    annullata il {formatListDate(made.undone_at)} da {made.undone_by}
                  </span>
                )}
                {made === last && (
                  <AskButton
                    small
                    danger
                    label="Annulla l’importazione…"
                    title="Annulli questa importazione?"
                    text={`${formatCount(made.seals, 'sigillo sparisce', 'sigilli spariscono')} dai biglietti; quelli che aveva sostituito tornano a valere.`}
                    confirmLabel="Sì, annulla l’importazione"
                    onConfirm={() =>
                      change(undoSeals, { params: { eventId, importId: made.import_id } })
                    }
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

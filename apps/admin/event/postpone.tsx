/** Moves a date after showing which times move too, then shows the buyers' answers (RULES E3). */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { postponeEvent, readPostponement } from '#server/contract/postponements.ts';
import { formatCount, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { venueWords } from '#server/domain/event/event.ts';
import { timesAt } from '#server/domain/event/series.ts';
import { postponementFaults, type PostponementAnswer } from '#server/domain/event/postponement.ts';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { Announcements } from '#apps/admin/mail/announcements.tsx';
import { AnswerFields } from './answer-fields.tsx';
import { TimeField } from './form/time-field.tsx';
import { instantOf, noTime } from '#apps/admin/kit/form/wall-time.ts';

type OfficeEvent = ReplyOf<typeof readEvent>;
type Postponement = NonNullable<ReplyOf<typeof readPostponement>['postponement']>;

export function PostponeScreen() {
  const { eventId } = useParams() as { eventId: string };
  const params = { eventId };
  const event = useEndpoint(readEvent, { params }, { refetchInterval: 15_000 });
  const last = useEndpoint(readPostponement, { params }, { refetchInterval: 15_000 });
  return (
    <>
      <BackLink to={`/events/${encodeURIComponent(eventId)}`}>Evento</BackLink>
      <Loaded query={event}>
        {(data) => (
          <>
            <PageTitle title={`Rinvia «${data.title}»`} />
            <Announcements event_id={eventId} />
            <Loaded query={last}>
              {({ postponement }) =>
                postponement === null ? null : (
                  <Answers
                    eventId={eventId}
                    venue={venueWords(data.form)}
                    postponement={postponement}
                  />
                )
              }
            </Loaded>
            {data.status === 'published' ? (
              <Move event={data} />
            ) : (
              <Notice>Si rinvia solo un evento pubblicato.</Notice>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

const silenceWords = withOther<Record<PostponementAnswer, string>>(
  {
    keep: 'tiene il biglietto',
    refund: 'viene rimborsato',
  },
  newerWord,
);

interface AnswersProps {
  eventId: string;
  /** Where the event is now. */ venue: string;
  postponement: Postponement;
}

function Answers({ eventId, venue, postponement }: AnswersProps) {
  const { kept, refunded, exchanged, silent, answer_by, closed_at, if_silent } = postponement;
  return (
    <div className={panelStyles.panels}>
      <Panel wide>
        <h2>Risposte</h2>
        <Facts wide>
          <Fact name="Era">
            {postponement.from_venue ?? formatLongDate(postponement.from_starts_at)}
          </Fact>
          <Fact name="Ora è">
            {postponement.from_venue === null ? formatLongDate(postponement.to_starts_at) : venue}
          </Fact>
          <Fact name="Tengono il biglietto">{formatCount(kept, 'ordine', 'ordini')}</Fact>
          <Fact name="Prendono un’altra data">{formatCount(exchanged, 'ordine', 'ordini')}</Fact>
          <Fact name="Chiedono il rimborso">{formatCount(refunded, 'ordine', 'ordini')}</Fact>
          <Fact name="Non hanno risposto">{formatCount(silent, 'ordine', 'ordini')}</Fact>
          <Fact name="Termine">
            {formatLongDate(answer_by)}
            {closed_at === null ? `: poi chi tace ${silenceWords[if_silent]}` : ': passato'}
          </Fact>
        </Facts>
        <p>
          <Link to={`/events/${encodeURIComponent(eventId)}/answers`}>
            Le risposte, ordine per ordine
          </Link>
        </p>
      </Panel>
    </div>
  );
}

/** The event's times in milliseconds. */
function timesOf({ form }: OfficeEvent) {
  const ms = (iso: string | null) => (iso === null ? null : Date.parse(iso));
  return {
    starts_at: Date.parse(form.starts_at),
    doors_at: ms(form.doors_at),
    ends_at: ms(form.ends_at),
    admits_from: ms(form.admits_from),
    admits_until: ms(form.admits_until),
    sales_opens_at: ms(form.sales_opens_at),
    sales_closes_at: ms(form.sales_closes_at),
  };
}

const faultWords = {
  starts_at: 'Il nuovo giorno è un altro, e nel futuro.',
  answer_by: 'Il termine viene prima della nuova data.',
};

function useMove(event: OfficeEvent) {
  const change = useChange();
  const [day, setDay] = useState(noTime);
  const [until, setUntil] = useState(noTime);
  const [if_silent, setSilent] = useState<PostponementAnswer>('keep');
  const [reason, setReason] = useState('');
  const [starts_at, answer_by] = [instantOf(day), instantOf(until)];

  const { busy, failure, setFailure, submit } = useSubmit(async () => {
    if (starts_at === null || answer_by === null)
      return setFailure('Scrivi il nuovo giorno e il termine per rispondere, con l’ora.');
    const [fault] = postponementFaults(timesOf(event), { starts_at, answer_by, now: Date.now() });
    if (fault !== undefined) return setFailure(faultWords[fault]);
    await change(postponeEvent, {
      params: { eventId: event.id },
      body: {
        version: event.version,
        starts_at: new Date(starts_at).toISOString(),
        answer_by: new Date(answer_by).toISOString(),
        if_silent,
        reason: reason.trim() || null,
        tell_buyers: event.buyers,
      },
    });
    setDay(noTime);
    setUntil(noTime);
  });
  return {
    day,
    setDay,
    until,
    setUntil,
    if_silent,
    setSilent,
    reason,
    setReason,
    starts_at,
    busy,
    failure,
    submit,
  };
}

function Move({ event }: { event: OfficeEvent }) {
  const move = useMove(event);
  const buyers = formatCount(event.buyers, 'acquirente', 'acquirenti');
  return (
    <div className={panelStyles.panels}>
      <Panel>
        <h2>Il nuovo giorno</h2>
        <form className={formStyles.stack} onSubmit={move.submit} noValidate>
          <TimeField label="Nuovo inizio" value={move.day} onChange={move.setDay} />
          <AnswerFields
            until={move.until}
            onUntil={move.setUntil}
            if_silent={move.if_silent}
            onSilent={move.setSilent}
          />
          <TextField
            label="Motivo (facoltativo)"
            hint="Si legge nell’e-mail."
            maxLength={500}
            value={move.reason}
            onChange={move.setReason}
          />
          <FormActions
            busy={move.busy}
            failure={move.failure}
            submitLabel={event.buyers === 0 ? 'Rinvia' : `Rinvia e avvisa ${buyers}`}
            danger
          />
        </form>
      </Panel>
      <WhatMoves event={event} starts_at={move.starts_at} />
    </div>
  );
}

function WhatMoves({ event, starts_at }: { event: OfficeEvent; starts_at: number | null }) {
  const times = starts_at === null ? null : timesAt(timesOf(event), starts_at);
  const say = (at: number | null | undefined) =>
    at === null || at === undefined ? 'non indicata' : formatLongDate(at);
  return (
    <Panel>
      <h2>Che cosa succede</h2>
      <Facts wide>
        <Fact name="Inizio">{starts_at === null ? '…' : formatLongDate(starts_at)}</Fact>
        <Fact name="Apertura porte">{times === null ? '…' : say(times.doors_at)}</Fact>
        <Fact name="Fine della vendita">
          {times === null ? '…' : formatLongDate(times.sales_closes_at ?? times.starts_at)}
        </Fact>
        <Fact name="Ordini con biglietti">{event.buyers.toLocaleString('it-IT')}</Fact>
      </Facts>
      <p>
        I biglietti restano validi con gli stessi codici. Sito, telefoni, calendario e biglietti nel
        telefono seguono la nuova data. Chi chiede il rimborso riceve tutto, prevendita compresa.
      </p>
    </Panel>
  );
}

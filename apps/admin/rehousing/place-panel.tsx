/** What a planned change of hall tells the buyers beside their seats; all seats stay. */
import { useState } from 'react';
import { changeRehousingNews } from '#server/contract/rehousings.ts';
import { venueWords } from '#server/domain/event/event.ts';
import { formatLongDate, formatTime } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { PlaceStep } from './place-step.tsx';
import type { Plan } from './plan.ts';
import { useStorePlan } from './use-plan.ts';

export function PlacePanel({ eventId, plan }: { eventId: string; plan: Plan }) {
  const act = useAct();
  const { keep } = useStorePlan(eventId);
  const [editing, setEditing] = useState(false);
  const { version, chart_key, news } = plan;
  return (
    <Panel aria-labelledby="place">
      <h3 id="place">Luogo e motivo</h3>
      {editing ? (
        <PlaceStep
          eventId={eventId}
          chart_key={chart_key}
          news={news}
          submitLabel="Salva"
          busyLabel="Salvo…"
          onBack={() => setEditing(false)}
          onNews={async (told) => {
            const body = { version, news: told };
            keep(await act(changeRehousingNews, { params: { eventId }, body }));
            setEditing(false);
          }}
        />
      ) : (
        <>
          <NewsFacts news={news} />
          <Button small onClick={() => setEditing(true)} label="Cambia luogo o motivo…" />
        </>
      )}
    </Panel>
  );
}

function NewsFacts({ news }: Pick<Plan, 'news'>) {
  const place = news?.place ?? null;
  return (
    <Facts wide>
      <Fact name="Luogo">{place === null ? 'Resta quello di adesso' : venueWords(place)}</Fact>
      {place !== null && (
        <>
          <Fact name="Apertura porte">
            {place.doors_at === null ? 'non indicata' : formatTime(place.doors_at)}
          </Fact>
          <Fact name="Rispondono entro">{formatLongDate(place.answer_by)}</Fact>
        </>
      )}
      <Fact name="Motivo">{news?.reason ?? 'non indicato'}</Fact>
    </Facts>
  );
}

/** Several drafts of a show are published together; one that cannot be is named with the reason. */
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { publishEvent, readEvent } from '#server/contract/event-desk.ts';
import type { readShow } from '#server/contract/shows.ts';
import { call } from '#apps/shared/api.ts';
import { formatCount, formatShortDate } from '#apps/shared/format.ts';
import { keyOf } from '#apps/shared/query.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { missingWords } from '#apps/admin/event/form/faults.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

type ShowDate = ReplyOf<typeof readShow>['dates'][number];
type Desk = ReplyOf<typeof readEvent>;

export function PublishDates({ dates }: { dates: readonly ShowDate[] }) {
  const [isOpen, setOpen] = useState(false);
  const drafts = dates.filter(({ status }) => status === 'draft');
  if (drafts.length < 2 && !isOpen) return null;
  return (
    <>
      <Button
        icon="check"
        onClick={() => setOpen(true)}
        label={`Pubblica ${formatCount(drafts.length, 'bozza', 'bozze')}…`}
      />
      {isOpen && <PublishDialog drafts={drafts} onClose={() => setOpen(false)} />}
    </>
  );
}

function useDesks(drafts: readonly ShowDate[]): { desks: Desk[]; isPending: boolean } {
  const found = useQueries({
    queries: drafts.map(({ id }) => {
      const ask = { params: { eventId: id } };
      return { queryKey: keyOf(readEvent, ask), queryFn: () => call(readEvent, ask) };
    }),
  });
  return {
    desks: found.flatMap(({ data }) => data ?? []),
    isPending: found.some(({ isPending }) => isPending),
  };
}

function PublishDialog({ drafts, onClose }: { drafts: readonly ShowDate[]; onClose: () => void }) {
  const change = useChange();
  const { desks, isPending } = useDesks(drafts);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map());
  const complete = desks.filter(({ missing }) => missing.length === 0);
  const chosen = complete.filter(({ id }) => !left.has(id));

  async function publish() {
    const failed = new Map<string, string>();
    for (const { id, version } of chosen)
      await change(publishEvent, { params: { eventId: id }, body: { version } }).catch(
        (error: unknown) => failed.set(id, tellFailure(error)),
      );
    setFailures(failed);
    if (failed.size === 0) onClose();
  }
  const choose = (id: string, isChosen: boolean) => {
    const others = [...left].filter((other) => other !== id);
    setLeft(new Set(isChosen ? others : [...others, id]));
  };
  return (
    <ConfirmDialog
      title="Pubblica le bozze"
      confirmLabel={`Pubblica ${formatCount(chosen.length, 'data', 'date')}`}
      disabled={isPending || chosen.length === 0}
      onConfirm={publish}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <p>
            Vanno in vendita le date scelte. Se una non si può pubblicare, le altre lo sono lo
            stesso, e qui leggi perché.
          </p>
          {isPending && <p role="status">Guardo che cosa manca…</p>}
          {desks.map((desk) => (
            <Draft
              key={desk.id}
              desk={desk}
              isChosen={!left.has(desk.id)}
              failure={failures.get(desk.id)}
              onChoose={(isChosen) => choose(desk.id, isChosen)}
            />
          ))}
        </div>
      }
    />
  );
}

interface DraftProps {
  desk: Desk;
  isChosen: boolean;
  /** Why the last attempt did not publish it. */
  failure: string | undefined;
  onChoose: (isChosen: boolean) => void;
}

function Draft({ desk, isChosen, failure, onChoose }: DraftProps) {
  const missing = desk.missing.map((part) => missingWords[part].text.toLowerCase());
  const lacks = missing.length > 0;
  return (
    <Check
      label={formatShortDate(desk.starts_at)}
      hint={lacks ? `Manca: ${missing.join(', ')}.` : failure}
      checked={!lacks && isChosen}
      disabled={lacks}
      onChange={onChoose}
    />
  );
}

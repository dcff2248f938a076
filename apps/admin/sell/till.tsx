/** The till of one evening: seats by name or by number, ticket types by digit, payment by one key, then the next customer. Everything has a key, shown beside it. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useParams } from 'react-router-dom';
import { readCounter, readTill } from '#server/contract/counter.ts';
import { readTypedSeats } from '#server/domain/typed-seats.ts';
import { formatCount, formatEuro, formatShortDate } from '#apps/shared/format.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { BackLink, PageTitle } from '#apps/admin/kit/page-title.tsx';
import { Empty, Loaded } from '#apps/admin/kit/loaded.tsx';
import { basketOf, totalOf, type BasketLine, type Till } from './basket.ts';
import { Basket } from './basket.tsx';
import { Buyer, type BuyerDraft } from './buyer.tsx';
import { Outcome } from './outcome.tsx';
import { PayDialog, Payments, type Way } from './pay.tsx';
import { useSeatsFromAddress } from './seats-from-address.ts';
import { TypedLine } from './typed-line.tsx';
import { TillMap, useTillChart } from './till-map.tsx';
import { useSale, type SaleBody } from './use-sale.ts';
import { OpenShift, type Counter } from './shift-open.tsx';
import styles from './till.module.css';

export function TillScreen() {
  const { eventId } = useParams() as { eventId: string };
  const counter = useEndpoint(readCounter, {}, { refetchOnWindowFocus: false });
  const till = useEndpoint(
    readTill,
    { params: { eventId } },
    { staleTime: 60_000, gcTime: 60_000, refetchOnWindowFocus: false },
  );
  return (
    <>
      <BackLink to="/sell">Vendi</BackLink>
      <Loaded query={counter}>
        {(desk) =>
          desk.shift === null ? (
            <OpenShift counter={desk} />
          ) : (
            <Loaded query={till}>
              {(data) => <OpenTill key={data.event.id} till={data} counter={desk} />}
            </Loaded>
          )
        }
      </Loaded>
    </>
  );
}

const nobody: BuyerDraft = { name: '', email: '', phone: '' };

function OpenTill({ till, counter }: { till: Till; counter: Counter }) {
  const map = useTillChart();
  const client = useQueryClient();
  const line = useRef<HTMLInputElement>(null);
  const [given, setGiven] = useState<Record<string, string>>({});
  const [current, setCurrent] = useState(0);
  const [way, setWay] = useState<Way | null>(null);
  const [buyer, setBuyer] = useState(nobody);
  const [said, setSaid] = useState<string | null>(null);
  const lines = useMemo(
    () => basketOf(map.chosen, till.pricing, given),
    [map.chosen, till.pricing, given],
  );
  const sending = useSale((sale) => {
    setWay(null);
    if (sale === null) return;
    // Places of a standing area can be chosen again, a seat cannot.
    map.sold(lines.filter(({ isArea }) => !isArea).map(({ object_id }) => object_id));
    setGiven({});
    setCurrent(0);
    setBuyer(nobody);
    void client.invalidateQueries({ queryKey: keyOf(readCounter, {}) });
    line.current?.focus();
  });
  const isBusy = sending.pending !== null;
  useSeatsFromAddress(map, setSaid);

  /** The body of a sale of what lies in the basket. */
  const sell = (paid: Partial<SaleBody>) => {
    const total = paid.by_hand?.total_cents ?? totalOf(lines);
    sending.send({
      event_id: till.event.id,
      hold_token: map.holdToken(),
      selected_objects: lines.map(({ object_id, ticket_type, quantity }) => ({
        object_id,
        ticket_type,
        ...(quantity > 1 && { quantity }),
      })),
      expected_cents: total,
      ...buyerOf(buyer),
      ...paid,
    });
  };
  const choose = async (text: string) => {
    sending.forget();
    setSaid(await chooseTyped(text, till, map));
  };
  const giveType = (nth: number) => {
    const at = lines[current];
    const type = at?.types[nth - 1];
    if (at === undefined || type === undefined) return;
    setGiven((now) => ({ ...now, [at.object_id]: type.ticketType }));
    setCurrent(Math.min(current + 1, lines.length - 1));
  };
  const clear = () => {
    setSaid(null);
    sending.forget();
    void map.clear();
  };
  useTillKeys({
    open: way === null && !isBusy,
    hasBasket: lines.length > 0 && lines.every((entry) => entry.unit_cents !== null),
    onWay: setWay,
    onClear: clear,
  });
  // A field that gets the focus back from a dialog has no caret in Chromium, and takes no letter: it is given one anew.
  useEffect(() => {
    if (way !== null || !map.ready) return undefined;
    const timer = setTimeout(() => {
      line.current?.blur();
      line.current?.focus();
      line.current?.select();
    });
    return () => clearTimeout(timer);
  }, [way, map.ready]);

  return (
    <>
      <PageTitle title={till.event.title}>
        <p className={styles.when}>
          {formatShortDate(till.event.starts_at)} · {counter.shift!.till_name}
        </p>
      </PageTitle>
      {till.pricing.length === 0 ? (
        <Empty icon="warning" title="Questo evento non ha prezzi.">
          <p>Senza prezzi non si può vendere: aggiungili nell’evento.</p>
        </Empty>
      ) : (
        <div className={styles.till}>
          <div className={styles.side}>
            <TypedLine
              ref={line}
              ready={map.ready && !isBusy}
              hasBasket={lines.length > 0}
              said={said}
              onSeats={choose}
              onDigit={giveType}
              onMove={(step) => setCurrent(Math.max(0, Math.min(lines.length - 1, current + step)))}
            />
            <Basket lines={lines} current={current} onPick={setCurrent} onType={giveType} />
            <p className={styles.total} aria-live="polite">
              <span>{formatCount(countOf(lines), 'biglietto', 'biglietti')}</span>
              <strong>{formatEuro(totalOf(lines))}</strong>
            </p>
            <Payments
              disabled={lines.length === 0 || isBusy || lines.some((e) => e.unit_cents === null)}
              onWay={setWay}
              onClear={clear}
            />
            <Buyer buyer={buyer} onChange={setBuyer} />
            <Outcome sending={sending} counter={counter} onRenew={map.renew} />
          </div>
          <TillMap till={till} map={map} />
        </div>
      )}
      {way !== null && (
        <PayDialog
          way={way}
          total={totalOf(lines)}
          counter={counter}
          startsAt={till.event.starts_at}
          busy={isBusy}
          onSell={sell}
          onClose={() => {
            setWay(null);
            line.current?.focus();
          }}
        />
      )}
    </>
  );
}

function countOf(lines: readonly BasketLine[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

function buyerOf({ name, email, phone }: BuyerDraft): Pick<SaleBody, 'buyer'> {
  const told = Object.entries({ name, email, phone }).filter(([, text]) => text.trim() !== '');
  return told.length === 0 ? {} : { buyer: Object.fromEntries(told) };
}

/** A number alone is the best places, anything else names of seats. Null: done; else what was not. */
async function chooseTyped(
  text: string,
  { seats }: Till,
  map: ReturnType<typeof useTillChart>,
): Promise<string | null> {
  if (/^\d{1,2}$/.test(text)) {
    if (await map.chooseBest(Number(text))) return null;
    return 'Non ci sono abbastanza posti liberi vicini.';
  }
  const typed = readTypedSeats(text, seats);
  const taken = await map.choose(typed.objects);
  const faults = [
    [typed.unknown, 'non esiste'],
    [typed.doubtful, 'è in più settori: scrivi anche il settore'],
    [taken, 'non è libero'],
  ] as const;
  const words = faults.flatMap(([names, fault]) => names.map((name) => `${name} ${fault}`));
  return words.length === 0 ? null : `${words.join('; ')}.`;
}

interface TillKeys {
  open: boolean;
  hasBasket: boolean;
  onWay: (way: Way) => void;
  onClear: () => void;
}

const keys: Record<string, Way> = {
  F2: 'cash',
  F4: 'pos',
  F7: 'gift',
  F8: 'later',
  F9: 'split',
  F10: 'by_hand',
};

function useTillKeys(ask: TillKeys): void {
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { open, hasBasket, onWay, onClear } = latest.current;
      if (event.key === 'Escape' && open) return onClear();
      const way = keys[event.key];
      if (way === undefined) return;
      event.preventDefault();
      if (open && hasBasket && !event.repeat) onWay(way);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

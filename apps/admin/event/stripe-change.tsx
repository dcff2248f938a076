/**
 * What is left to do after the Stripe keys have changed: lost prices are made again, and orders of
 * test money leave a house that takes real money.
 */
import { isAmount, leastCents, mostCents } from '#server/domain/price/price-bounds.ts';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readStripeChange, removeTestOrders, renewPrices } from '#server/contract/stripe-change.ts';
import { formatCount, formatEuro, formatShortDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { EuroField, readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Change = ReplyOf<typeof readStripeChange>;
type Price = Change['shows'][number]['prices'][number];

export function StripeChangeScreen() {
  const change = useEndpoint(readStripeChange, {});
  return (
    <>
      <BackLink to="/settings/health">Salute</BackLink>
      <PageTitle title="Cambio di chiavi Stripe" />
      <Loaded query={change}>{(data) => <Told change={data} />}</Loaded>
    </>
  );
}

const accountWords: Record<Change['mode'], string> = {
  live: 'sull’account Stripe vero',
  test: 'sull’account Stripe di prova',
  stand_in: 'sullo Stripe simulato',
};

function Told({ change }: { change: Change }) {
  const { shows, test_orders, demo } = change;
  if (shows.length + test_orders.length + demo === 0)
    return (
      <Empty icon="check" title="Non resta niente da fare.">
        <p>L’account Stripe di adesso conosce tutti i prezzi in vendita.</p>
      </Empty>
    );
  return (
    <>
      {shows.length > 0 && <LostPrices change={change} />}
      {test_orders.length > 0 && <TestOrders orders={test_orders} />}
      {demo > 0 && (
        <Panel aria-labelledby="demo">
          <h2 id="demo">Dimostrazione</h2>
          <p>
            Restano {formatCount(demo, 'data sua', 'date sue')}: il pubblico non le vede. Si tolgono
            sul server con <code>npm run admin -- reset-demo --yes</code>.
          </p>
        </Panel>
      )}
    </>
  );
}

/** Amounts that nobody has told the house are typed; the others are those of before. */
function LostPrices({ change: { shows, mode } }: { change: Change }) {
  const change = useChange();
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const prices = shows.flatMap((show) => show.prices);
  const typed = prices
    .filter(({ cents }) => cents === null)
    .map(({ price_id }) => ({ price_id, cents: readEuro(texts[price_id] ?? '') ?? -1 }));
  const isReady = typed.every(({ cents }) => isAmount(cents));
  const count = formatCount(prices.length, 'prezzo', 'prezzi');
  return (
    <Panel aria-labelledby="lost-prices">
      <h2 id="lost-prices">Prezzi da rifare</h2>
      <p>
        L’account Stripe di adesso non conosce questi prezzi, e finché mancano quei biglietti non si
        comprano. Vengono creati di nuovo con gli stessi nomi e importi, e messi al posto di quelli
        di prima in ogni data che deve ancora cominciare.
      </p>
      <Table cards columns={['Prezzo', 'Importo']}>
        <tbody>
          {shows.map((show) =>
            show.prices.map((price) => (
              <tr key={price.price_id}>
                <th scope="row">
                  {price.name}
                  <SecondLine>
                    {show.title}, {formatCount(show.dates, 'data', 'date')}
                  </SecondLine>
                </th>
                <td>
                  <Amount
                    price={price}
                    text={texts[price.price_id] ?? ''}
                    onChange={(text) => setTexts({ ...texts, [price.price_id]: text })}
                  />
                </td>
              </tr>
            )),
          )}
        </tbody>
      </Table>
      {!isReady && (
        <p className={textStyles.soft}>
          Scrivi gli importi che mancano: 0, oppure da {formatEuro(leastCents)} a{' '}
          {formatEuro(mostCents)}.
        </p>
      )}
      <AskButton
        small={false}
        disabled={!isReady}
        label="Crea di nuovo questi prezzi…"
        title={`Creare ${count} ${accountWords[mode]}?`}
        text={<p>Poi si vende di nuovo. Premere due volte non crea prezzi doppi.</p>}
        confirmLabel="Crea di nuovo questi prezzi"
        onConfirm={() => change(renewPrices, { body: { amounts: typed } })}
      />
    </Panel>
  );
}

interface AmountProps {
  price: Price;
  text: string;
  onChange: (text: string) => void;
}

function Amount({ price: { name, cents }, text, onChange }: AmountProps) {
  if (cents !== null) return formatEuro(cents);
  return <EuroField label={`Importo di ${name}`} value={text} onChange={onChange} />;
}

function TestOrders({ orders }: { orders: Change['test_orders'] }) {
  const change = useChange();
  const sum = (of: 'orders' | 'places') => orders.reduce((total, event) => total + event[of], 0);
  const count = formatCount(sum('orders'), 'ordine di prova', 'ordini di prova');
  const seats = formatCount(sum('places'), 'posto', 'posti');
  return (
    <Panel aria-labelledby="test-orders">
      <h2 id="test-orders">Ordini di prova</h2>
      <p>
        Li ha pagati denaro di prova, o nessuno. I loro biglietti dicono PROVA e non aprono la
        porta, ma tengono posti e contano nei rapporti finché non li togli.
      </p>
      <Table cards columns={['Evento', 'Ordini e posti']}>
        <tbody>
          {orders.map((event) => (
            <tr key={event.event_id}>
              <th scope="row">
                <Link to={`/events/${encodeURIComponent(event.event_id)}/orders`}>
                  {event.title}
                </Link>
                <SecondLine>{formatShortDate(event.starts_at)}</SecondLine>
              </th>
              <td>
                {formatCount(event.orders, 'ordine', 'ordini')},{' '}
                {formatCount(event.places, 'posto', 'posti')}
                <SecondLine>{formatEuro(event.cents)} di denaro di prova</SecondLine>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <AskButton
        small={false}
        danger
        label="Togli gli ordini di prova…"
        title={`Togliere ${count}?`}
        text={
          <p>
            {seats} tornano liberi. Ordini e biglietti spariscono per sempre; nel Registro resta chi
            li ha tolti e quali erano. Gli ordini pagati davvero non vengono toccati.
          </p>
        }
        confirmLabel="Togli gli ordini di prova"
        onConfirm={() => change(removeTestOrders, { body: { orders: sum('orders') } })}
      />
    </Panel>
  );
}

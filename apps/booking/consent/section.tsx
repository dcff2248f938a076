/**
 * The button at the foot of the cookie page that reopens the question about third-party services.
 */
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { monitorsOf } from '#server/domain/site/monitoring.ts';
import { useSite } from '#apps/booking/shell/site.ts';
import { askConsentAgain } from './watch.ts';
import card from '#apps/booking/shell/page/card.module.css';

export function ConsentSection() {
  if (monitorsOf(useSite().monitoring).length === 0) return null;
  return (
    <section className={`${card.card} no-print`} aria-labelledby="consent-again-title">
      <h2 id="consent-again-title">Le tue scelte</h2>
      <p>
        Puoi cambiare idea quando vuoi: quello che hai scelto vale per sei mesi, su questo browser.
      </p>
      <p>
        <AsyncButton onClick={askConsentAgain}>Rivedi le tue scelte</AsyncButton>
      </p>
    </section>
  );
}

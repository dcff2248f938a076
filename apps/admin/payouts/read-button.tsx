/** Asks the server to read payouts from Stripe; they appear some seconds later. */
import { useState } from 'react';
import { askPayouts } from '#server/contract/payouts.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';

export function ReadButton() {
  const change = useChange();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <AsyncButton
        variant="secondary"
        onClick={async () => {
          await change(askPayouts, {});
          setAsked(true);
        }}
      >
        Rileggi da Stripe
      </AsyncButton>
      <output aria-label="Lettura da Stripe">
        {asked && 'Lettura avviata: le novità compaiono qui fra qualche secondo.'}
      </output>
    </>
  );
}

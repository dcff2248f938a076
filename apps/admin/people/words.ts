/** Italian words for each role's rights, and for the places where users work. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import { roleNames, type Place, type Role } from '#server/domain/user/user.ts';

const hints = withOther<Record<Role, string>>(
  {
    admin: 'Può tutto: anche annullare eventi, persone, telefoni e impostazioni.',
    office: 'Spettacoli, ordini, biglietti, rimborsi, ingressi e rapporti.',
    cassa: 'Vende e stampa, con il suo turno di cassa.',
    viewer: 'Vede i numeri di vendite e presenze, senza nomi.',
    door: 'Solo le pagine della porta.',
  },
  '',
);

export function roleOption(role: Role) {
  return [role, roleNames[role], hints[role]] as const;
}

export const placeWords = withOther<Record<Place, string>>(
  {
    here: 'dal computer del botteghino',
    network: 'dalla rete del teatro',
    internet: 'da internet',
  },
  newerWord,
);

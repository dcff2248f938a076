/** The kinds of places; apart from their names, which a phone needs later than the contract. */
export const placeKinds = ['seat', 'table', 'booth', 'area'] as const;

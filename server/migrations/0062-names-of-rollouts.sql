-- What a rollout is called, and the words in which its zones were chosen, with how many they were (SEE-05). Null: it has no name; it has one zone, or is from before.
alter table rollout add column name text check (name <> ''), add column zone_words text, add column chosen_zones integer;

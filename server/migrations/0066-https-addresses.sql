-- Addresses of ads, pictures and documents are https: or the portal's own, also those of the machine that shows them.
update ad set image = 'https' || substr(image, 5) where image ilike 'http://%';
update ad set url = 'https' || substr(url, 5) where url ilike 'http://%';
update product set product_image = 'https' || substr(product_image, 5) where product_image ilike 'http://%';
update product set documents = (
    select jsonb_agg(case when document->>'url' ilike 'http://%'
      then jsonb_set(document, '{url}', to_jsonb('https' || substr(document->>'url', 5))) else document end order by place)
    from jsonb_array_elements(documents) with ordinality as listed (document, place))
  where documents::text ilike '%"http://%';
